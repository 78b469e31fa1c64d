package dev.latchkey.auth.contract;

import java.util.List;

/** Ids for confusion in a store: similar, long, or with special characters; all ids differ. */
final class HostileIds {

    private static final int LONG = 10_000;

    static final List<String> ALL = List.of(
            "",
            " ",
            "%",
            "_",
            "\0",
            "id\0",
            "id\0a",
            "id",
            // Equal to another id for a column with padding or a collation.
            "id ",
            "ID",
            "\u0131d",
            "i\u0301d",
            "\u00edd",
            "'",
            "''",
            "\"",
            "`",
            "\\",
            "' OR '1'='1",
            "'); DROP TABLE latchkey_revocation; --",
            "{id}",
            "token:id",
            "subject:id",
            "\r\n",
            "\uD83D\uDD11",
            "\uD83D\uDD12",
            "?",
            Hostile.LONE_SURROGATE,
            "user?name",
            "user\uFFFDname",
            "a".repeat(LONG),
            "a".repeat(LONG - 1) + "b",
            "\uD83D\uDD11".repeat(LONG / 2));

    private HostileIds() {}
}
