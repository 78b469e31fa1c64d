package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of a request to the token endpoint: {@code username} and {@code password}; or {@code refresh_token}; or {@code continuation}, the
 * response to a step such as {@code code}, and {@code remember_device} with the value true or false; or the fields of an extension grant.
 */
final class TokenRequest {

    /** The reader of JSON accepts the literals true and false for this member. */
    static final String REMEMBER = "remember_device";

    /** Names under which clients ask to stay logged in. The reader of JSON accepts the literals true and false for these too. */
    static final Set<String> REMEMBER_ME = Set.of("remember_me", "rememberMe", "remember-me");

    static final String GRANT_TYPE = "grant_type";

    /** The grant type of RFC 8693 section 2.1, for a plugin that exchanges tokens. */
    static final String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

    private static final String CONTINUATION = "continuation";
    private static final String REFRESH_TOKEN = "refresh_token";
    private static final String USERNAME = "username";
    private static final String PASSWORD = "password";

    /** What a request asks for. */
    enum Kind {
        STEP,
        PASSWORD,
        REFRESH,
        EXTENSION,
        /** A password beside a refresh token, or a grant type without a value. */
        UNREADABLE
    }

    private final Map<String, String> fields;

    TokenRequest(Map<String, String> fields) {
        this.fields = fields;
    }

    boolean speaksOAuth() {
        return fields.containsKey(GRANT_TYPE);
    }

    Kind kind() {
        if (fields.containsKey(CONTINUATION)) {
            return Kind.STEP;
        }
        String grant = fields.get(GRANT_TYPE);
        if (grant == null) {
            return plainKind();
        }
        return switch (grant) {
            case PASSWORD -> Kind.PASSWORD;
            case REFRESH_TOKEN -> fields.containsKey(REFRESH_TOKEN) ? Kind.REFRESH : Kind.UNREADABLE;
            case "" -> Kind.UNREADABLE;
            default -> Kind.EXTENSION;
        };
    }

    private Kind plainKind() {
        if (!fields.containsKey(REFRESH_TOKEN)) {
            return Kind.PASSWORD;
        }
        return fields.containsKey(PASSWORD) ? Kind.UNREADABLE : Kind.REFRESH;
    }

    /** Whether the client asked for a scope (RFC 6749 section 3.3); an empty value counts as none. */
    boolean hasScope() {
        return speaksOAuth() && !fields.getOrDefault("scope", "").isEmpty();
    }

    String grantType() {
        return fields.getOrDefault(GRANT_TYPE, "");
    }

    Map<String, String> fields() {
        return fields;
    }

    String refreshToken() {
        return fields.getOrDefault(REFRESH_TOKEN, "");
    }

    /** The same with the refresh token of a cookie, for a request without any field but the grant type of a refresh. */
    TokenRequest withCarried(Optional<String> refreshToken) {
        if (refreshToken.isEmpty() || !(fields.isEmpty() || fields.equals(Map.of(GRANT_TYPE, REFRESH_TOKEN)))) {
            return this;
        }
        Map<String, String> all = new HashMap<>(fields);
        all.put(REFRESH_TOKEN, refreshToken.get());
        return new TokenRequest(all);
    }

    String continuation() {
        return fields.getOrDefault(CONTINUATION, "");
    }

    /** The same with the name from the URL, if the body has none: clients of Nacos send the name there, and the password in the body. */
    TokenRequest withNameIn(Optional<String> query) {
        Optional<String> name = query.filter(text -> !fields.containsKey(USERNAME))
                .flatMap(text -> BodyFormat.FORM.read(text.getBytes(StandardCharsets.UTF_8)))
                .map(parameters -> parameters.get(USERNAME));
        if (name.isEmpty()) {
            return this;
        }
        Map<String, String> all = new HashMap<>(fields);
        all.put(USERNAME, name.get());
        return new TokenRequest(all);
    }

    /** The fields of the response to a step; empty if there is none, or a field is no text, or {@code remember_device} has another value. */
    Optional<Map<String, Secret>> response() {
        String remember = fields.getOrDefault(REMEMBER, "false");
        if (!remember.equals("true") && !remember.equals("false")) {
            return Optional.empty();
        }
        Map<String, String> sent = new HashMap<>(fields);
        sent.keySet().removeAll(Set.of(CONTINUATION, REMEMBER, GRANT_TYPE, "client_id", "client_secret"));
        sent.keySet().removeAll(REMEMBER_ME);
        return sent.isEmpty() ? Optional.empty() : secrets(sent);
    }

    boolean isToBeRemembered() {
        return fields.getOrDefault(REMEMBER, "false").equals("true");
    }

    /** Whether the client asks to stay logged in; a service without a customizer for that gives the same tokens. */
    boolean wantsToBeRemembered() {
        return REMEMBER_ME.stream().anyMatch(name -> "true".equals(fields.get(name)));
    }

    /** The name and the password; empty if a field is missing or has invalid text. */
    Optional<Credentials> credentials() {
        String username = fields.get(USERNAME);
        String password = fields.get(PASSWORD);
        return username == null || password == null
                ? Optional.empty()
                : secret(password).map(secret -> new PasswordCredentials(username, secret));
    }

    /** The fields of an extension grant beside the grant type; empty if a field has invalid text. */
    Optional<Map<String, Secret>> grant() {
        Map<String, String> sent = new HashMap<>(fields);
        sent.keySet().removeAll(Set.of(GRANT_TYPE, "client_secret"));
        return secrets(sent);
    }

    private static Optional<Map<String, Secret>> secrets(Map<String, String> fields) {
        Map<String, Secret> secrets = new HashMap<>();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            Optional<Secret> value = secret(field.getValue());
            if (value.isEmpty()) {
                return Optional.empty();
            }
            secrets.put(field.getKey(), value.get());
        }
        return Optional.of(secrets);
    }

    private static Optional<Secret> secret(String text) {
        try {
            return Optional.of(Secret.of(text));
        } catch (IllegalArgumentException e) {
            // JSON can escape a lone surrogate, and UTF-8 cannot carry it.
            return Optional.empty();
        }
    }
}
