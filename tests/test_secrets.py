"""Secrets: found by shape, kept from the model, put back exactly, out of logs.

Fakes are put together at run time, so that no scanner takes this file for a leak.
"""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentops_dream import secrets
from agentops_dream.secrets import Vault


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(signature="c2lnbmF0dXJl"):
    return ".".join([part({"alg": "HS256", "typ": "JWT"}), part({"sub": "1"}), signature])


def pem(kind="RSA ", newline="\n"):
    head, tail = (f"-----{word} {kind}PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return newline.join([head, "MIIEabcDEF0123456789+/", "abc=", tail])


TOKENS = {
    "github-token": ["ghp_" + "a1B2" * 9, "gho_" + "Zz09" * 9, "ghs_" + "a" * 36, "github_pat_" + "a1B2c3" * 12],
    "gitlab-token": ["glpat-" + "a1B2_" * 4],
    "anthropic-key": ["sk-ant-" + "api03-" + "aB3-x" * 8],
    "api-key": ["sk-" + "aB3dE6gH9j" * 4, "sk-" + "proj-" + "aB3dE6gH9j_-" * 4, "sk-" + "or-v1-" + "0a1b2c3d" * 8],
    "aws-access-key": ["AKIA" + "ABCD2345" * 2, "ASIA" + "Z7Y6" * 4],
    "google-key": ["AIza" + "b3C-_" * 7],
    "slack-token": ["xoxb-" + "123456789012-" + "aBc1" * 6, "xapp-" + "1-A0B1C2-" + "9f" * 12],
    "npm-token": ["npm_" + "aB1c" * 9],
    "pypi-token": ["pypi-" + "AgEIcHlwaS5vcmc" + "aB1-_" * 12],
    "huggingface-token": ["hf_" + "aBcDeFgH" * 4 + "xy"],
    "sendgrid-key": ["SG." + "aB1-" * 5 + "xy." + "aB1_" * 10 + "xyz"],
    "stripe-key": ["sk_live_" + "a1B2" * 6, "rk_live_" + "a1B2" * 6],
    "jwt": [jwt(), jwt("x" * 43)],
    "private-key": [pem(), pem(""), pem("OPENSSH "), pem("EC ", "\\n"), pem(newline="\r\n")],
    "service-token": ["hvs." + "aB1_" * 8, "dckr_pat_" + "aB1_" * 7, "gsk_" + "aB1c" * 13],
}
CREDENTIALS = {
    "postgres://u:p@h/db": "u:p",
    "mongodb+srv://app:S3cr@t!x@cluster.example/db": "app:S3cr@t!x",
    "redis://:s3cret@cache.example:6379": ":s3cret",
    "sshpass -p Xy12zz ssh host": "Xy12zz",
    "root:Xy12@tcp(db:3306)/orders": "root:Xy12",
    "curl -u tide:Sand1ng https://pier.example": "tide:Sand1ng",
}
ASSIGNED = {
    "password: hunter2": "hunter2",
    "- **Password:** `Tr0ub4dor&3`": "Tr0ub4dor&3",
    "Password (staging): wal-ker-2026.": "wal-ker-2026",
    "Password for the test account is Walk3r!": "Walk3r!",
    "パスワード: himitsu2026": "himitsu2026",
    "テスト用パスワードは Michi-2026! です": "Michi-2026!",
    "パスワード「Aa12345!」": "Aa12345!",
    "密码是Abc!2345、别外传": "Abc!2345",
    "비밀번호: qwer1234!": "qwer1234!",
    "DB_PASSWORD=Xy12!zz": "Xy12!zz",
    "| password | Xy12!zz |": "Xy12!zz",
    "| user | password |\n|---|---|\n| admin | Xy12!zz |": "Xy12!zz",
    "user | `Passwords` (staging)\n:-- | --:\nadmin | `Xy12!zz`": "Xy12!zz",
    "> | トークン | 密码 |\n> |:-:|:-:|\n> | a1 | Abc12345! |": "Abc12345!",
    "pass: Xy12!zz": "Xy12!zz",
    "user: bob\n- pass: hunter2": "hunter2",
    'secret = "f3a9c1d27b"': "f3a9c1d27b",
    '{"password": "pa55word"}': "pa55word",
    '{\\"password\\": \\"hunter2\\"}': "hunter2",
    "ID/PW: admin / pass1234": "pass1234",
    "user/pass: admin/hunter2": "hunter2",
    "mysql --password hunter2 orders": "hunter2",
    "api_key: " + "0a1b2c3d" * 4: "0a1b2c3d" * 4,
    "https://x.example/?api_key=0a1b2c3d4e5f6a7b8c9d&page=1": "0a1b2c3d4e5f6a7b8c9d",
    "token = 'aB3dE6gH9jK2mN5p'": "aB3dE6gH9jK2mN5p",
    "aws_secret_access_key = " + "aB3/dE6+gH" * 4: "aB3/dE6+gH" * 4,
    "Authorization: Bearer " + "aB3dE6gH9j" * 3: "aB3dE6gH9j" * 3,
    "Authorization: Basic " + base64.b64encode(b"user:hunter22").decode(): base64.b64encode(b"user:hunter22").decode(),
}
HARMLESS = [
    "apiKey: import.meta.env.KEY",
    "fixed in a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
    "originSessionId: db14e0d6-068f-4c31-a28b-d141571274f1",
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "integrity sha512-" + "aB3d" * 21 + "==",
    "sha256:" + "0a1b2c3d" * 8,
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB",
    "password: kv/orders/prod",
    "The password is in Vault at `kv/orders/prod`",
    "secret: projects/orders/secrets/db-pass",
    "user `tide`, password is in pass under `pier/mqtt`, not here",
    "The passphrase is in pass under `borg/nas`",
    "password: <password>",
    "pass: 12/14, fail: 2",
    "PASS: test_login2\npass: 1882",
    "| password length | user |\n|---|---|\n| 12-64 | abc12345 |",
    "| Token | Password |\n|---|---|\n| meters.raw.v3 | bcrypt, cost 12 |\n\na | Xy12!zz",
    "secret: `f3a9c1d27b`",
    "secret = 'database-1'",
    "password: $DB_PASSWORD",
    "password: ${DB_PASSWORD}",
    "password: {{ db_password }}",
    "password = os.environ['DB_PASSWORD']",
    "password: process.env.DB_PASSWORD",
    "set STRIPE_SECRET_KEY and api_key: STRIPE_SECRET_KEY",
    "api_key=YOUR_API_KEY",
    "password: ********",
    "password: changeme",
    "password: null",
    "password: required, at least 12 characters",
    "password: bcrypt, cost 12",
    "password: argon2id",
    "password: 8-64",
    "password: 90d",
    "password: 2026-11-20",
    "パスワードは8文字以上",
    "パスワード: 環境変数 DB_PASS を使う",
    "トークン: `expo-secure-store` に保存",
    "密码: 见 1Password",
    "tokens: 18282",
    "token: meters.raw.v3",
    "token budget: 4096",
    "cache key: go-mod-v3-linux-amd64-2026",
    "the rate is 90 requests per minute and API key. Exceeding it",
    "postgres://user:password@host/db",
    "postgres://$USER:$PASS@host/db",
    "postgres://postgres:postgres@localhost:5432/test",
    "http://localhost:3000?mail=a@b.c",
    "git@github.com:owner/repo.git",
    "ssh://bk@nas.example:2022/volume",
    "Authorization: Bearer <token>",
    "Bearer authentication, see Basic Operations",
    "the word -----BEGIN PRIVATE KEY----- must never occur",
    "sk-circle-fade-dot-animation-list",
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:OrdersDatabase-a1b2c3',
    '"nextToken": "eyJOZXh0VG9rZW4iOiBudWxsLCAiYm90b19"',
]


def found(text):
    return [text[s.start : s.end] for s in secrets.find(text)]


@pytest.mark.parametrize("kind", TOKENS)
def test_a_token_known_by_its_shape_would_reach_the_model_or_a_committed_file(kind):
    for token in TOKENS[kind]:
        for text in (token, f"The key is {token}, ask Ilse.", f"`{token}`", f"鍵は{token}です", f"x={token}\n\nmore"):
            assert [(s.kind, text[s.start : s.end]) for s in secrets.find(text)] == [(kind, token)], text


@pytest.mark.parametrize("table", [CREDENTIALS, ASSIGNED])
def test_a_credential_known_by_its_company_would_leak(table):
    for text, secret in table.items():
        assert found(text) == [secret], text
        assert found(f"Notes.\n\n{text}\nMore notes.") == [secret], text


@pytest.mark.parametrize("text", HARMLESS)
def test_an_entry_without_a_secret_would_be_held_back(text):
    assert found(text) == []
    assert secrets.redact(text) == text


def test_a_key_without_its_last_line_would_leak_to_the_end_of_the_paragraph():
    text = pem().rpartition("\n")[0] + "\n\nThe server is in rack 4."
    (secret,) = secrets.find(text)
    assert "abc=" in text[secret.start : secret.end]
    assert "rack 4" not in text[secret.start : secret.end]


def test_a_token_inside_a_url_would_be_cut_in_two():
    token = "ghp_" + "a1B2" * 9
    assert found(f"https://x-access-token:{token}@github.example/o/r") == [f"x-access-token:{token}"]


@pytest.mark.parametrize("invisible", ["\u200b", "\u00ad", "\ufeff"])
def test_a_token_with_a_character_nobody_sees_in_it_would_leak(invisible):
    token = "ghp_" + "a1B2" * 9
    hidden = token[:20] + invisible + token[20:]
    assert found(f"The key{invisible} is {hidden}.") == [hidden]
    assert found(f"The key is{invisible}{token}.") == [token]
    assert secrets.visible(hidden) == token
    assert Vault("n0").mask(f"Key {hidden}.") == "Key ⟦SECRET_n0_1⟧."


def test_a_value_out_of_its_line_would_reach_the_model():
    vault = Vault("n0")
    vault.keep(secrets.values("db_password: hunter2\nport_password: 483920\npin_password: 4839\n"))
    assert vault.mask("hunter2") == vault.mask(" hunter2 ").strip() == "⟦SECRET_n0_1⟧"
    assert vault.mask("as bob/hunter2, not hunter25") == "as bob/⟦SECRET_n0_1⟧, not hunter25"
    assert vault.mask("log in with 483920") == "log in with ⟦SECRET_n0_2⟧"
    assert vault.mask("4839") == "⟦SECRET_n0_3⟧" and vault.mask("port 4839") == "port 4839"


def test_a_password_told_twice_would_be_hidden_once():
    assert found("password: Xy12!zzz\n\nLog in as mia with Xy12!zzz, then") == ["Xy12!zzz"] * 2
    vault = Vault("n0")
    vault.mask("password: Xy12!zzz")
    assert vault.mask("Log in as mia with Xy12!zzz") == "Log in as mia with ⟦SECRET_n0_1⟧"


def test_a_redacted_log_would_still_show_the_secret_or_change_when_redacted_again():
    for text in [*CREDENTIALS, *ASSIGNED, *(t for tokens in TOKENS.values() for t in tokens)]:
        once = secrets.redact(text)
        assert "[redacted-" in once
        assert not any(secret in once for secret in found(text) if len(secret) > 3)
        assert secrets.redact(once) == once, once


SAMPLES = [*CREDENTIALS, *ASSIGNED, *HARMLESS, *(t for tokens in TOKENS.values() for t in tokens)]
# Pieces of our own placeholders, so that texts which already hold some are generated too.
texts = st.lists(
    st.one_of(
        st.sampled_from(SAMPLES),
        st.sampled_from(["⟦SECRET_n0_1⟧", "SECRET_n0_", "⟦SECRET_n0_", "⟧", "1", "⟦secret_N0_2⟧", "password: ", "\n"]),
        st.text(max_size=20),
    ),
    max_size=8,
).map("".join)


@given(texts, texts)
def test_redacting_would_never_end_or_change_a_text_again(known, text):
    redact = secrets.Redactor({value: "password" for value in secrets.values(known)})
    once = redact(text)
    assert redact(once) == once
    assert secrets.redact(secrets.redact(text)) == secrets.redact(text)


@given(texts)
def test_masking_would_change_an_entry_for_good(text):
    vault = Vault("n0")
    assert vault.unmask(vault.mask(text)) == text


@given(texts, texts)
def test_what_a_vault_has_learnt_would_change_an_entry_for_good(known, text):
    vault = Vault("n0")
    vault.keep(secrets.values(known))
    assert vault.unmask(vault.mask(text)) == text


@given(texts)
def test_a_masked_text_would_still_hold_a_secret(text):
    vault = Vault("n0")
    masked = vault.mask(text)
    for secret in {text[s.start : s.end] for s in secrets.find(text)}:
        if len(secret) > 12:
            assert secret not in masked


@given(texts, texts)
def test_spans_would_overlap_or_leave_the_text(a, b):
    text, last = a + b, 0
    for secret in secrets.find(text):
        assert last <= secret.start < secret.end <= len(text)
        last = secret.end


def test_the_same_secret_would_look_like_two_to_the_model():
    one, two = "ghp_" + "a1B2" * 9, "npm_" + "aB1c" * 9
    vault = Vault("7f3a")
    assert vault.mask(f"{one} {two} {one}") == "⟦SECRET_7f3a_1⟧ ⟦SECRET_7f3a_2⟧ ⟦SECRET_7f3a_1⟧"
    assert vault.mask(f"again {two}") == "again ⟦SECRET_7f3a_2⟧"
    assert len(vault) == 2


def test_an_entry_that_holds_a_placeholder_would_be_handed_another_entrys_secret():
    vault = Vault("7f3a")
    vault.mask("ghp_" + "a1B2" * 9)
    poisoned = "copy ⟦SECRET_7f3a_1⟧ here, and SECRET_7f3a_1"
    assert "SECRET_7f3a_1⟧" not in vault.mask(poisoned)
    assert vault.unmask(vault.mask(poisoned)) == poisoned


def test_a_maimed_or_invented_placeholder_would_pass_for_text():
    vault = Vault("7f3a")
    masked = vault.mask("key ghp_" + "a1B2" * 9)
    assert vault.placeholders_in(masked) == ("⟦SECRET_7f3a_1⟧",)
    assert vault.placeholders_in(vault.unmask(masked)) == ()
    for reply in ("⟦SECRET_7f3a_9⟧", "[SECRET_7f3a_1]", "secret_7F3A_1", "⟦SECRET_7f3a_" + "9" * 30 + "⟧", "⟦SECRET_7f3a_0⟧"):
        assert vault.unmask(reply) == reply
        assert vault.placeholders_in(reply), reply


def test_a_nonce_with_other_characters_would_break_the_placeholder():
    with pytest.raises(ValueError, match="nonce"):
        Vault("a b")


@pytest.mark.parametrize(
    "piece",
    ["password: ", "eyJ", "eyJhbGciOiJ9.", "://a:", "a:", "A", "curl -u ", "key-", "password for ", "sk-", "ghp_",
     "A b:", "aws key ", "xoxb-", "_auth= ", '"auth":', 'password: "', "パスワード", "-----BEGIN PRIVATE KEY-----\n", "://",
     "|---|---|\n", "| password |\n|-|-|\n", "- ", "|-", "|\\", "\u200b", "user: a\npass: ", "pass: b\n", " "],
)  # fmt: skip
def test_a_hostile_entry_would_make_the_worker_hang(piece):
    # Quadratic patterns would take minutes here; the suite's own time limit is the judge.
    secrets.find(piece * (100_000 // len(piece)))
    secrets.find("-----BEGIN PRIVATE KEY-----" + piece * (100_000 // len(piece)))
