package dev.latchkey.auth.password.migration;

import dev.latchkey.auth.password.hash.ParsedHash;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Known formats that are not read. A report names the format and the required action. */
final class UnreadFormats {

    private static final Pattern DES_CRYPT = Pattern.compile("[./0-9A-Za-z]{13}");
    private static final String INSTEAD =
            " is not read here; the account needs a new password, or the system that wrote the hash has to check its next login";

    private static final Map<String, String> BY_START = byStart();

    private UnreadFormats() {}

    private static Map<String, String> byStart() {
        Map<String, String> byStart = new LinkedHashMap<>();
        byStart.put("$y$", "yescrypt");
        byStart.put("$gy$", "gost-yescrypt");
        byStart.put("$7$", "scrypt of crypt(3)");
        byStart.put("$sm3$", "sm3-crypt");
        byStart.put("0x0200", "mssql2012");
        return byStart;
    }

    static @Nullable ParsedHash read(String text) {
        for (Map.Entry<String, String> format : BY_START.entrySet()) {
            if (text.startsWith(format.getKey())) {
                return new ParsedHash.Refused(format.getValue(), format.getValue() + INSTEAD);
            }
        }
        return null;
    }

    /** DES, which is recognizable only after an id. */
    static @Nullable ParsedHash inCrypt(String text) {
        return DES_CRYPT.matcher(text).matches()
                ? new ParsedHash.Refused(
                        "des-crypt", "DES takes eight characters of a password; the account needs a new one")
                : null;
    }
}
