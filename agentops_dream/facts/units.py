"""Numbers as facts: value, unit, number words, in English, Japanese, Chinese and Korean (SPEC §8).

A *hard* unit is part of the fact ("8 s" is not "8 ms"); what is merely counted ("24 partitions",
"12 件") is company, because honest rewriting moves it about ("partitions: 24").
"""

from __future__ import annotations

import re

from agentops_dream.patterns import late

# canonical unit -> spellings. Latin spellings are compared without case except where case is meaning.
_UNITS: dict[str, str] = {
    "ns": "ns nanosecond nanoseconds ナノ秒 纳秒 나노초",
    "us": "us μs µs microsecond microseconds マイクロ秒 微秒 마이크로초",
    "ms": "ms msec millis millisecond milliseconds ミリ秒 毫秒 밀리초",
    "s": "s sec secs second seconds 秒 秒間 秒钟 초",
    "min": "min mins minute minutes 分 分間 分钟 分鐘 분",
    "h": "h hr hrs hour hours 時間 小时 小時 시간",
    "day": "d day days 日 日間 天 일",
    "workday": "workday workdays 営業日 工作日 영업일",
    "week": "week weeks 週 週間 周 星期 주",
    "month": "month months か月 ヶ月 カ月 ケ月 ヵ月 個月 个月 개월",
    "year": "year years yr yrs 年 年間 년",
    "%": "% percent パーセント 百分之 퍼센트",
    "bit": "bit bits",
    "byte": "byte bytes バイト 字节 바이트",
    "kb": "kb kB キロバイト",
    "kib": "kib",
    "mb": "mb megabyte megabytes メガバイト 兆字节 메가바이트",
    "mib": "mib",
    "gb": "gb gigabyte gigabytes ギガバイト 기가바이트",
    "gib": "gib",
    "tb": "tb terabyte terabytes テラバイト 테라바이트",
    "tib": "tib",
    "mbps": "mbps",
    "gbps": "gbps",
    "hz": "hz hertz ヘルツ 赫兹 헤르츠",
    "khz": "khz",
    "mhz": "mhz",
    "ghz": "ghz",
    "fps": "fps",
    "rpm": "rpm",
    "px": "px pixel pixels ピクセル 画素 像素 픽셀",
    "mm": "mm millimetre millimetres millimeter millimeters ミリメートル 毫米 밀리미터",
    "cm": "cm centimetre centimetres centimeter centimeters センチ センチメートル 厘米 센티미터",
    "m": "m metre metres meter meters メートル 米 미터",
    "km": "km kilometre kilometres kilometer kilometers キロメートル 公里 千米 킬로미터",
    "g": "g gram grams グラム 克 그램",
    "kg": "kg kilogram kilograms キログラム 公斤 千克 킬로그램",
    "t": "tonne tonnes トン 吨 톤",
    "l": "l litre litres liter liters リットル 升 리터",
    "ml": "ml ミリリットル 毫升 밀리리터",
    "w": "w watt watts ワット 瓦 와트",
    "kw": "kw",
    "wh": "wh",
    "kwh": "kwh",
    "v": "v volt volts ボルト 伏 볼트",
    "mv": "mv",
    "a": "amp amps ampere amperes アンペア 安培 암페어",
    "ah": "ah",
    "mah": "mah",
    "hpa": "hpa",
    "bar": "bar",
    "psi": "psi",
    "db": "db",
    "deg": "degree degrees ° 度",
    "c": "°c ℃ 摂氏 摄氏度 섭씨",
    "eur": "eur euro euros € ユーロ 欧元 유로",
    "usd": "usd dollar dollars $ ドル 美元 달러",
    "gbp": "gbp pound pounds £",
    "jpy": "jpy yen ¥ 円 日元",
    "cny": "cny rmb yuan 元 人民币",
    "krw": "krw won ₩ 원",
    "cent": "cent cents",
    "pp": "pp ポイント 百分点 포인트",
}
CANON: dict[str, str] = {}
for _name, _spellings in _UNITS.items():
    for _spelling in _spellings.split():
        CANON.setdefault(_spelling.lower(), _name)

_LATIN = sorted((u for u in CANON if u.isascii() and u[0].isalpha()), key=len, reverse=True)
_OTHER = sorted((u for u in CANON if not (u.isascii() and u[0].isalpha())), key=len, reverse=True)
UNIT = rf"(?:(?:{'|'.join(_LATIN)})(?![A-Za-z0-9_])|{'|'.join(map(re.escape, _OTHER))})"
"""Pattern of one hard unit, case ignored by the caller."""

_SIZES: dict[str, dict[str, float]] = {
    "time": {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "day": 86400, "week": 604800},
    "months": {"month": 1, "year": 12},
    "length": {"mm": 1e-3, "cm": 1e-2, "m": 1, "km": 1e3},
    "mass": {"g": 1, "kg": 1e3, "t": 1e6},
    "volume": {"ml": 1e-3, "l": 1},
    "bytes": {"byte": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12},
    "binary": {"byte": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40},
    "frequency": {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    "rate": {"mbps": 1, "gbps": 1e3},
    "power": {"w": 1, "kw": 1e3},
    "energy": {"wh": 1, "kwh": 1e3},
    "voltage": {"mv": 1e-3, "v": 1},
    "charge": {"mah": 1e-3, "ah": 1},
}
_DIMENSION = {unit: (name, size) for name, sizes in reversed(_SIZES.items()) for unit, size in sizes.items()}


def amount(key: str, unit: str) -> tuple[str, float] | None:
    """Return the dimension and the size of a number with its unit: ``1,600 ms`` is ``1.6 s``; ``None``: it stands alone."""
    if unit not in _DIMENSION:
        return None
    name, size = _DIMENSION[unit]
    try:
        return name, float(f"{float(key) * size:.9g}")
    except (ValueError, OverflowError):
        return None


_EVERY = {
    unit: late(pattern)
    for unit, pattern in {
        "s": r"\b(?:every|each|per|one|single) second\b|[毎每一]秒|매초",
        "min": r"\b(?:every|each|per|one|single|an?) minute\b|[毎每一]分|매분",
        "h": r"\b(?:every|each|per|one|single|an?) hour\b|\bhourly\b|毎時|每(?:个)?小时|매시",
        "day": r"\b(?:every|each|per|one|single|a) day\b|\bdaily\b|[毎每一]日|[每一]天|매일|하루",
        "week": r"\b(?:every|each|per|one|single|a) week\b|\bweekly\b|[毎每一](?:週|周)|매주|일주일",
        "month": r"\b(?:every|each|per|one|single|a) month\b|\bmonthly\b|[毎每一](?:か|ヶ|個|个)?月|매월|매달",
        "year": r"\b(?:every|each|per|one|single|a) year\b|\b(?:yearly|annual|annually)\b|[毎每一]年|매년",
    }.items()
}
"""How one of a unit is said in words. "a second copy" is no second."""
_HALF = late(r"\bhalf an? (second|minute|hour|day|year)\b|半(年|日)|半(?:時間|小时)|반(?:년|일| ?시간)")
_AND_A_HALF = late(
    r"\b(an?|[a-z]+|\d+) (second|minute|hour|day|week|month|year)s? and a half\b"
    r"|\b([a-z]+|\d+) and a half (second|minute|hour|day|week|month|year)s\b"
)
_PARTS = {
    late(r"\b(?:a )?quarter of an hour\b"): ("15", "min"),
    late(r"\bthree[- ]quarters of an hour\b"): ("45", "min"),
    late(r"\b(?:a|one) fortnight\b"): ("2", "week"),
}


def amounts_in_words(text: str) -> frozenset[tuple[str, float]]:
    """Return the amounts that casefolded ``text`` says in words: "a year" is 12 months, "half an hour" 30 minutes,
    "an hour and a half" 90.
    """
    found = {amount("1", unit) for unit, pattern in _EVERY.items() if pattern.search(text)}
    for match in _HALF.finditer(text):
        found.add(amount("0.5", CANON.get(match[1] or match[2] or "", "h")))
    for match in _AND_A_HALF.finditer(text):
        count, unit = match[1] or match[3], match[2] or match[4]
        whole = int(count) if count.isdecimal() else 1 if count in ("a", "an") else _WORDS.get(count, 0)
        found.add(amount(str(whole + 0.5), CANON[unit]) if whole >= 1 else None)
    found.update(amount(*size) for pattern, size in _PARTS.items() if pattern.search(text))
    return frozenset(size for size in found if size is not None)


_SINGLE = late(r"\b(?:one|single|sole|once|each|per|every)\b|[一各毎每]|唯一|하나|한 |매|각")
_ROUND = {
    key: late(rf"\b(?:an?|one) {word}\b")
    for key, word in {"12": "dozen", "100": "hundred", "1000": "thousand", "1000000": "million"}.items()
}
_NONE = late(r"\b(?:no|none|zero|without|nothing|nobody|free of)\b|ない|なし|無|ゼロ|零|没有|无|없")


def in_words(key: str, unit: str, text: str) -> bool:
    """Return whether casefolded ``text`` may say a number in words: "no failure", "every second", 毎秒, "a thousand"."""
    if key in _ROUND and not unit:
        return _ROUND[key].search(text) is not None
    if key == "1":
        every = _EVERY.get(unit)
        return (every.search(text) if every else not unit and _SINGLE.search(text)) is not None
    return key == "0" and _NONE.search(text) is not None


_MAGNITUDE = {
    "k": 10**3, "thousand": 10**3, "千": 10**3, "천": 10**3, "万": 10**4, "萬": 10**4, "만": 10**4,
    "million": 10**6, "mio": 10**6, "billion": 10**9, "億": 10**8, "亿": 10**8, "억": 10**8,
}  # fmt: skip
MAGNITUDE = r"(?:thousand|million|mio|billion)(?![A-Za-z])|k(?![A-Za-z0-9_])|[千천万萬만億亿억]"

_WORDS = {
    word: value
    for value, words in enumerate(
        "zero|one once|two twice both|three thrice|four|five|six|seven|eight|nine|ten|eleven|twelve".split("|")
    )
    for word in words.split()
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90,
     "hundred": 100, "half": 0.5, "dozen": 12}  # fmt: skip
NUMBER_WORDS = {word: value for word, value in _WORDS.items() if value not in (0, 1, 0.5)}
"""English words that state a count. "one" and "half" are left out: they are mostly grammar."""

KANJI_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"両": 2, "两": 2}
COUNTERS = (
    "か月|ヶ月|カ月|個月|个月|週間|時間|小时|分钟|秒間|種類|段階|行|件|個|个|回|台|人|枚|本|度|日|週|周|秒|分|年|次|条|"
    "桁|版|名|例|点|文字|つ|组|組|天|位|张|份|页|頁"
)


def number_key(digits: str, magnitude: str = "") -> str:
    """Return one spelling for a number: separators gone, magnitude multiplied in, ``8.50`` kept.

    ``digits`` is ASCII. A trailing ``.0`` is kept too: whether ``14.0`` is ``14`` depends on the
    unit, so :func:`same_number` decides.
    """
    digits = digits.replace(",", "").replace("_", "")
    if magnitude:
        value = float(digits) * _MAGNITUDE[magnitude.lower()]
        return str(int(value)) if value == int(value) else repr(value)
    whole, dot, rest = digits.partition(".")
    return (whole.lstrip("0") or "0" if len(whole) < 4 and not dot else whole) + dot + rest


def loose_key(key: str, unit: str = "") -> str:
    """Return the key under which ``14`` and ``14.0`` meet, and, with a unit, ``2.40`` and ``2.4``.

    Without one, ``3.10`` may be a version and is not ``3.1``; nor is ``22.11.0`` ``22.11``.
    """
    if key.count(".") == 1 and (unit or key.endswith(".0")):
        return key.rstrip("0").rstrip(".")
    return key


def kanji_value(text: str) -> int | None:
    """Return the value of a kanji numeral below one hundred thousand, or ``None``."""
    total = section = 0
    for char in text:
        if char in KANJI_DIGITS:
            section = section * 10 + KANJI_DIGITS[char]
        elif char in "十百千":
            total += max(section, 1) * {"十": 10, "百": 100, "千": 1000}[char]
            section = 0
        else:
            return None
    return total + section
