package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.Subject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tokens of a login or a refresh. A record would print its components. Immutable. */
public final class IssuedTokens implements LoginOutcome {

    private final Subject subject;
    private final AccessToken access;
    private final @Nullable RefreshToken refresh;
    private final @Nullable RememberedDevice device;
    private final Map<String, Object> answer;

    private IssuedTokens(
            Subject subject,
            AccessToken access,
            @Nullable RefreshToken refresh,
            @Nullable RememberedDevice device,
            Map<String, Object> answer) {
        this.subject = subject;
        this.access = access;
        this.refresh = refresh;
        this.device = device;
        this.answer = answer;
    }

    static IssuedTokens of(Subject subject, AccessToken access, @Nullable RefreshToken refresh, TokenOptions options) {
        IssuedTokens tokens = new IssuedTokens(subject, access, refresh, null, Map.of());
        return new IssuedTokens(subject, access, refresh, null, AnswerFields.of(options.answerTo(tokens)));
    }

    IssuedTokens withDevice(RememberedDevice remembered) {
        return new IssuedTokens(subject, access, refresh, remembered, answer);
    }

    /**
     * The subject, from the deciding plugin.
     *
     * @return with authorities and claims
     */
    public Subject subject() {
        return subject;
    }

    /**
     * The access token.
     *
     * @return new with each login and refresh
     */
    public AccessToken access() {
        return access;
    }

    /**
     * The refresh token, valid once.
     *
     * @return empty if refresh tokens are off, or this session cannot be refreshed
     */
    public Optional<RefreshToken> refresh() {
        return Optional.ofNullable(refresh);
    }

    /**
     * The service's own fields of the answer: {@link TokenOptions#withAnswer}.
     *
     * @return by name; unmodifiable
     */
    public Map<String, Object> answer() {
        return answer;
    }

    /**
     * The token of a remembered device, for the next login in place of a second step.
     *
     * @return empty if no device is remembered
     */
    public Optional<RememberedDevice> device() {
        return Optional.ofNullable(device);
    }

    /**
     * The service's own fields of an answer, as a copy that can be written as JSON. The copy is made before the session: a later
     * failure would keep a place of the account, or lose the refresh token.
     */
    private static final class AnswerFields {

        /** Of two members with one name, a client may read either. */
        private static final Set<String> TAKEN = Set.of(
                "access_token",
                "token_type",
                "expires_in",
                "refresh_token",
                "issued_token_type",
                "device_token",
                "device_expires_in",
                "accessToken",
                "tokenTtl",
                "globalAdmin",
                "username",
                "refreshToken",
                "deviceToken",
                "deviceTokenTtl");

        /** A value that contains itself has no end. */
        private static final int DEEPEST = 20;

        private AnswerFields() {}

        /**
         * An unmodifiable copy in the same order.
         *
         * @throws IllegalArgumentException if a name is taken, or a value nests too deeply
         */
        static Map<String, Object> of(Map<String, ?> fields) {
            fields.keySet().stream().filter(TAKEN::contains).findFirst().ifPresent(name -> {
                throw new IllegalArgumentException("The answer to a login has the field '" + name + "' already");
            });
            return copyOf(fields, 0);
        }

        private static Map<String, Object> copyOf(Map<?, ?> fields, int depth) {
            Map<String, Object> copy = new LinkedHashMap<>();
            fields.forEach((name, value) -> copy.put(name.toString(), valueOf(value, depth + 1)));
            return Collections.unmodifiableMap(copy);
        }

        private static Object valueOf(Object value, int depth) {
            if (depth > DEEPEST) {
                throw new IllegalArgumentException("The answer to a login nests more than " + DEEPEST + " levels deep");
            }
            if (value instanceof Map<?, ?> map) {
                return copyOf(map, depth);
            }
            if (value instanceof List<?> list) {
                return list.stream().map(each -> valueOf(each, depth + 1)).toList();
            }
            return value instanceof Number || value instanceof Boolean
                    ? value
                    : Objects.requireNonNull(value, "a value of the answer to a login")
                            .toString();
        }
    }
}
