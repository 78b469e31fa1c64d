package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.json.JsonMembers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of the tokens in an endpoint's answer, and the statuses for rejected tokens. */
enum LoginShape {
    /** RFC 6749 section 5.1; also Latchkey's own form. */
    OAUTH("access_token", "expires_in", "refresh_token") {
        @Override
        void requireType(Map<String, String> members) {
            // RFC 6749 section 7.1: a client must not use a token of an unknown type.
            if (!"bearer".equalsIgnoreCase(members.get("token_type"))) {
                throw new IllegalArgumentException("The token_type is not Bearer");
            }
        }

        @Override
        boolean isRefusal(int status) {
            return status == UNAUTHORIZED;
        }

        @Override
        String explanationOf(int status) {
            return "";
        }
    },
    NACOS("accessToken", "tokenTtl", "refreshToken") {
        @Override
        void requireType(Map<String, String> members) {
            // Nacos sends no token type.
        }

        // A Nacos server answers 403 to an invalid token and to a missing permission.
        @Override
        boolean isRefusal(int status) {
            return status == UNAUTHORIZED || status == FORBIDDEN;
        }

        @Override
        String explanationOf(int status) {
            return status == INTERNAL_SERVER_ERROR ? ", which Nacos' default plugin says to a wrong password too" : "";
        }
    };

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int INTERNAL_SERVER_ERROR = 500;

    private static final int MOST_TOKEN_CHARS = 16_384;

    /** RFC 6750 section 2.1: the allowed characters in the header field. */
    private static final Pattern B64_TOKEN = Pattern.compile("[A-Za-z0-9\\-._~+/]++=*+");

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

    /** A token with a longer lifetime is renewed after this time. */
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(365);

    private final String token;
    private final String lifetime;
    private final String refreshToken;

    LoginShape(String token, String lifetime, String refreshToken) {
        this.token = token;
        this.lifetime = lifetime;
        this.refreshToken = refreshToken;
    }

    /**
     * @throws IllegalArgumentException if the body does not have this shape; the message contains no part of the body
     */
    TokenAnswer read(byte[] body) {
        JsonMembers json = JsonMembers.of(body);
        Map<String, String> members = json.texts();
        requireType(members);
        String access = Optional.ofNullable(members.get(token))
                .filter(LoginShape::isToken)
                .orElseThrow(() -> new IllegalArgumentException("There is no token that a header field may hold"));
        String refresh = members.get(refreshToken);
        return new TokenAnswer(
                Authorization.of(Secret.of("Bearer " + access)),
                lifetimeOf(json.others().getOrDefault(lifetime, members.get(lifetime))),
                refresh == null || refresh.isEmpty() ? null : Secret.of(refresh));
    }

    /** Whether a service with these tokens uses this status to reject a token. */
    abstract boolean isRefusal(int status);

    /** An addition to the message for this status of the login; empty if none is needed. */
    abstract String explanationOf(int status);

    abstract void requireType(Map<String, String> members);

    private static boolean isToken(String text) {
        return text.length() <= MOST_TOKEN_CHARS && B64_TOKEN.matcher(text).matches();
    }

    private static @Nullable Duration lifetimeOf(@Nullable String seconds) {
        if (seconds == null) {
            return null;
        }
        if (!SECONDS.matcher(seconds).matches() || Long.parseLong(seconds) == 0) {
            throw new IllegalArgumentException("The lifetime is not a positive number of seconds");
        }
        Duration lifetime = Duration.ofSeconds(Long.parseLong(seconds));
        return lifetime.compareTo(LONGEST_LIFETIME) > 0 ? LONGEST_LIFETIME : lifetime;
    }
}
