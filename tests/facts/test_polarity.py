"""A rule that reads as its opposite after a dream makes the next session do what was forbidden."""

from __future__ import annotations

import pytest
from one_note import codes

TURNED = (
    ("Never push the tag by hand, because the signature is missing.", "Push the tag by hand, because the signature is missing."),
    ("A release is tagged by `make release`; never push the tag by hand, because the signature is then missing.",
     "A release is tagged by `make release`; push the tag by hand, because the signature is then missing."),
    ("Do not deploy on Fridays because nobody is there.", "Deploy on Fridays because nobody is there."),
    ("Do not deploy on Fridays: support is not available then.", "Deploy on Fridays: support is not available then."),
    ("Don't run the migration on prod; it isn't safe.", "Run the migration on prod; it isn't safe."),
    ("Don't run the migration on prod, it isn't safe.", "Run the migration on prod, it isn't safe."),
    ("The job cannot run without a token.", "The job can run without a token."),
    ("Never use the staging key; without it nothing works.", "Use the staging key; without it nothing works."),
    ("Avoid the legacy endpoint, it is missing auth.", "Use the legacy endpoint, it is missing auth."),
    ("Deploys must not happen without review.", "Deploys must happen without review."),
    ("The limit is about 100 requests.", "The limit is 100 requests."),
    ("The limit is 100 requests.", "The limit is about 100 requests."),
    ("The relay takes up to 100 rows per poll.", "The relay takes at least 100 rows per poll."),
    ("The relay takes up to 100 rows per poll.", "The relay takes 100 rows per poll."),
    ("Alice is not allowed to merge; Bob is allowed to merge.", "Alice is allowed to merge; Bob is not allowed to merge."),
    ("Feature flags are disabled on staging and enabled on prod.", "Feature flags are enabled on staging and disabled on prod."),
    ("Retries are off for writes.", "Retries are on for writes."),
    ("The rollout failed on canary.", "The rollout succeeded on canary."),
    ("The description field is optional in the form.", "The description field is required in the form."),
    ("Direct pushes are allowed on the docs branch.", "Direct pushes are forbidden on the docs branch."),
    ("It has yet to be tested on ARM.", "It has been tested on ARM."),
    ("Migrations are run with Alembic before each deploy.", "Migrations are run with Alembic after each deploy."),
    ("Backups run daily at 03:00 UTC.", "Backups run hourly at 03:00 UTC."),
    ("The user prefers short answers and is never keen on emojis.", "The user prefers long answers and is never keen on emojis."),
    ("Run the report first; never run it with `--submit`, that really sends it and can't be taken back.",
     "Run the report first; always run it with `--submit`, that really sends it and can't be taken back."),
    ("手でタグをプッシュしないでください。署名が無くなるからです。", "手でタグをプッシュしてください。署名が無くなるからです。"),
    ("本番への直接デプロイは禁止。夜間は担当者がいない。", "本番への直接デプロイは許可。夜間は担当者がいない。"),
    ("この機能は本番で有効、検証で無効。", "この機能は本番で無効、検証で有効。"),
    ("承認なしでデプロイしてはいけない。", "承認なしでデプロイしてよい。"),
    ("約100件を一度に処理する。", "100件を一度に処理する。"),
    ("不要手动推送标签，否则没有签名。", "要手动推送标签，否则没有签名。"),
    ("缓存在生产环境启用，在测试环境禁用。", "缓存在生产环境禁用，在测试环境启用。"),
    ("태그를 손으로 푸시하지 마세요. 서명이 없어집니다.", "태그를 손으로 푸시하세요. 서명이 없어집니다."),
    ("캐시는 운영에서 활성, 스테이징에서 비활성.", "캐시는 운영에서 비활성, 스테이징에서 활성."),
    ("引数 `floor` は使っていないが、消さずに残す。", "引数 `floor` は使っていないので、消してよい。"),
    ("保証は 3 年か 20,000 時間の早い方まで。", "保証は 3 年か 20,000 時間の遅い方まで。"),
    ("The battery is swapped after 2 years or 800 cycles, whichever is earlier.", "The battery is swapped after 2 years or 800 cycles, whichever is later."),
)  # fmt: skip

HONEST = (
    ("Never push the tag by hand, because the signature is missing.", "The tag must not be pushed by hand: the signature is missing."),
    ("Do not deploy on Fridays because nobody is there.", "Never deploy on Fridays, since nobody is there."),
    ("Do not deploy on Fridays because nobody is there.", "Nobody is there on Fridays, so don't deploy on Fridays."),
    ("Don't run the migration on prod; it isn't safe.", "It is unsafe to run the migration on prod, so don't run it there."),
    ("The job cannot run without a token.", "The job needs a token to run."),
    ("The job cannot run without a token.", "Without a token the job can't run."),
    ("Deploys must not happen without review.", "Deploys must always be reviewed before they happen: no deploys without review."),
    ("Deploys must not happen without review.", "Deploys must happen only after review."),
    ("Do not deploy before the review.", "Deploy only after the review."),
    ("Avoid the legacy endpoint, it is missing auth.", "The legacy endpoint is missing auth; do not use it."),
    ("Use pnpm, not npm.", "Use pnpm instead of npm."),
    ("Use pnpm, not npm.", "Never npm, always pnpm."),
    ("The limit is about 100 requests.", "The limit is roughly 100 requests."),
    ("The relay takes up to 100 rows per poll.", "The relay takes at most 100 rows per poll."),
    ("The relay takes up to 100 rows per poll.", "Per poll the relay takes 100 rows at most."),
    ("Alice is not allowed to merge; Bob is allowed to merge.", "Bob is allowed to merge, but Alice is not allowed to merge."),
    ("Feature flags are disabled on staging and enabled on prod.", "Feature flags are enabled on prod and disabled on staging."),
    ("Feature flags are disabled on staging and enabled on prod.", "On prod feature flags are enabled; on staging they are disabled."),
    ("Retries are off for writes.", "Retries are disabled for writes."),
    ("Retries are not enabled for writes.", "Retries are disabled for writes."),
    ("The rollout failed on canary.", "On canary, the rollout did not succeed."),
    ("The description field is optional in the form.", "In the form the description field is not required."),
    ("It has yet to be tested on ARM.", "It has not been tested on ARM yet."),
    ("It is untested on ARM.", "It has not been tested on ARM."),
    ("Migrations are run with Alembic before each deploy.", "Before each deploy, migrations are run with Alembic."),
    ("Run the migrations before the deploy.", "Deploy after the migrations are run."),
    ("Backups run daily at 03:00 UTC.", "Every day at 03:00 UTC backups run."),
    ("The user prefers short answers and never wants emojis.", "The user never wants emojis and prefers short answers."),
    ("The user prefers short answers and never wants emojis.", "The user prefers short answers. No emojis, ever: the user never wants them."),
    ("Do not forget to run the linter before a commit.", "Run the linter before a commit."),
    ("The server refuses plain HTTP.", "Plain HTTP is refused by the server."),
    ("Neither Tom nor Ann has access to the vault.", "Tom and Ann have no access to the vault."),
    ("No secrets in the repo.", "Secrets must not be in the repo."),
    ("The relay is no longer needed.", "The relay is not needed any longer."),
    ("Same key and another body end in 409 with code `ORD-1409`.", "The same key with another body is refused with 409, code `ORD-1409`."),
    ("The index is not rebuilt at night. The table is.", "The table is rebuilt at night, the index is not rebuilt at night."),
    ("手でタグをプッシュしないでください。署名が無くなるからです。", "署名が無くなるので、手でタグをプッシュしないこと。"),
    ("本番への直接デプロイは禁止。", "本番へ直接デプロイしてはいけない。"),
    ("この機能は本番で有効、検証で無効。", "この機能は検証で無効、本番で有効。"),
    ("承認なしでデプロイしてはいけない。", "デプロイには承認が必要。承認なしのデプロイは禁止。"),
    ("約100件を一度に処理する。", "一度に処理するのはおよそ100件。"),
    ("写真は消さず両方保存。", "写真は消さずに両方保存する。"),
    ("オフライン中の編集は `sync_queue` に積む。", "圏外での編集は `sync_queue` に積む。"),
    ("不要手动推送标签，否则没有签名。", "切勿手动推送标签，否则没有签名。"),
    ("缓存在生产环境启用，在测试环境禁用。", "缓存在测试环境禁用，在生产环境启用。"),
    ("每次最多处理100条记录。", "每次处理记录不超过100条。"),
    ("没有审批不能部署。", "部署需要审批。"),
    ("태그를 손으로 푸시하지 마세요. 서명이 없어집니다.", "서명이 없어지므로 태그를 손으로 푸시하지 말 것."),
    ("캐시는 운영에서 활성, 스테이징에서 비활성.", "캐시는 스테이징에서 비활성, 운영에서 활성."),
    ("Two people may swap shifts through `POST /v1/swaps`.", "Shift swaps between two people go through `POST /v1/swaps`."),
    ("`Clock.hours()` is the only place that computes durations.", "Durations are computed in `Clock.hours()` and nowhere else."),
    ("The slew speed may not exceed 5.5 degrees in azimuth.", "| axis | at most |\n|---|---|\n| azimuth slew speed | 5.5 degrees |"),
    ("The health check only pinged the gateway and did not send a text.", "Every 5 min the check sends a real text now; before, the health check only pinged the gateway."),
    ("The talk is optional, but without it there is no badge for hall B.", "The talk is optional. There is, however, no badge for hall B without it."),
    ("Never run sweeps here: they block whole nodes. Never copy data out of `/vault`.", "**Never**\n- run sweeps here, because they block whole nodes;\n- copy data out of `/vault`."),
    ("A clean build takes 3 min 40 s on `fw-runner-2`.", "In March a clean build took 3 minutes 40 seconds on `fw-runner-2`."),
    ("The tag comes at most 2 days after the vote; both lists see it.", "The tag comes no more than 2 days after the vote, and both lists see it."),
    ("Not confirmed: Teo heard it from their helpdesk on the phone.", "Rumour, not confirmed. Teo has it from a phone call with their helpdesk."),
    ("メールは実際には送られず、`letter_opener` で見る。", "メール: 実際には送られない。見るのは `letter_opener`。"),
    ("注意書きは警告にとどめ、注文は止めない。", "注意書きは警告のみ。注文は止まらない。"),
    ("搬送の多い 10:00 から 15:00 は行わない。", "搬送の多い時間帯(10:00~15:00)には行わない。"),
    ("終わりは 2028 年 3 月ではなく 2027 年 9 月らしい。", "終わりが 2028 年 3 月から 2027 年 9 月に早まるらしい。"),
    ("未確認:莉子さんが立ち話で聞いたもので、見積もりもまだ届いていない。", "- 連携が始まるらしい(未確認)\n- 出どころは莉子さん。立ち話で聞いた\n- 見積もりもまだ来ていない"),
    ("한 번에 최대 100건을 처리한다.", "한 번에 처리하는 것은 100건 이하이다."),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after"), TURNED)
def test_a_rule_turned_round_does_not_get_in(before: str, after: str) -> None:
    assert "hardening" in codes(before, after)


def test_the_same_rule_in_other_words_gets_in() -> None:
    """A guard that cries at honest wording would be switched off."""
    blocked = [pair for pair in HONEST if "hardening" in codes(*pair)]
    assert blocked == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The queue is not durable and holds 500 jobs.", "The queue is durable and holds 500 jobs."),
        ("The server accepts plain HTTP on port 8080.", "The server refuses plain HTTP on port 8080."),
        ("Read replicas are required for reports.", "Read replicas are optional for reports."),
    ],
)
def test_a_statement_without_any_other_mark_cannot_be_turned_either(before: str, after: str) -> None:
    assert "hardening" in codes(before, after)
