package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.store.StoredLogin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sessions as JSON: {@code id}, the times {@code started_at}, {@code last_used_at} and {@code expires_at} (ISO 8601, whole
 * seconds), {@code device} and {@code address} if recorded, and whether the session is the {@code current} session.
 */
final class LoginList {

    private LoginList() {}

    /** The list as JSON, in UTF-8. */
    static byte[] of(List<StoredLogin> logins, Predicate<StoredLogin> isCurrent) {
        return logins.stream()
                .map(login -> element(login, isCurrent.test(login)))
                .collect(Collectors.joining(",", "{\"logins\":[", "]}"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String element(StoredLogin login, boolean isCurrent) {
        return "{\"id\":" + JsonText.quoted(login.id())
                + ",\"started_at\":" + time(login.startedAt())
                + ",\"last_used_at\":" + time(login.lastUsedAt())
                + ",\"expires_at\":" + time(login.expiresAt())
                + member("device", login.device().name())
                + member("address", login.device().address())
                + ",\"current\":" + isCurrent + "}";
    }

    private static String member(String name, @Nullable String value) {
        return value == null ? "" : ",\"" + name + "\":" + JsonText.quoted(value);
    }

    private static String time(Instant instant) {
        return '"' + instant.truncatedTo(ChronoUnit.SECONDS).toString() + '"';
    }
}
