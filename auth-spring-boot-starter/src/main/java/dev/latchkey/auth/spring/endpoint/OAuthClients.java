package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.RegisteredClient;
import dev.latchkey.auth.spring.settings.ClientProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The registered clients, and the authentication of a request's client: {@code client_secret_basic}, {@code client_secret_post},
 * or none (RFC 6749 section 2.3.1). Without registered clients no request is authenticated, and the fields of clients are
 * ignored.
 *
 * <p>Secrets are random, so SHA-256 hides and checks a secret: a flood of wrong secrets costs no password hash. Unknown clients
 * cost the same comparison. Immutable.
 */
final class OAuthClients {

    private static final String BASIC = "Basic ";
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+");
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    /** No secret has this digest. */
    private static final Client NOBODY = new Client("", new byte[32], Set.of());

    /** A client. A record would print its components. */
    private static final class Client {

        private final String id;
        private final byte[] digest;
        private final Set<String> grants;

        Client(String id, byte[] digest, Set<String> grants) {
            this.id = id;
            this.digest = digest;
            this.grants = grants;
        }
    }

    /**
     * The client of a request.
     *
     * @param id empty for no client
     * @param refusal why the request is refused; empty for a request that goes on
     */
    record Decision(String id, Optional<TokenRefusal> refusal) {

        /** No client. */
        static final Decision NONE = new Decision("", Optional.empty());

        static Decision refused(TokenRefusal refusal) {
            return new Decision("", Optional.of(refusal));
        }

        boolean isClient() {
            return !id.isEmpty();
        }

        /** The same, and a request without a client is refused too. */
        Optional<TokenRefusal> refusalUnlessClient() {
            return isClient() ? refusal : Optional.of(refusal.orElse(TokenRefusal.INVALID_CLIENT));
        }
    }

    private final Map<String, Client> clients = new HashMap<>();

    /** @throws LatchkeyConfigurationException if two clients have the same id */
    OAuthClients(Map<String, ClientProperties> configured, List<RegisteredClient> beans) {
        configured.forEach((id, client) -> add(id, client.secret(), client.grants()));
        beans.forEach(client -> add(client.id(), client.secret(), client.grants()));
    }

    private void add(String id, Secret secret, Set<String> grants) {
        Client client = new Client(id, secret.withBytes(Sha256::of), Set.copyOf(grants));
        if (clients.putIfAbsent(id, client) != null) {
            throw new LatchkeyConfigurationException(
                    "Two clients are registered as '" + id + "'",
                    "Remove the RegisteredClient bean, or latchkey.login.clients." + id + ".");
        }
    }

    boolean isEmpty() {
        return clients.isEmpty();
    }

    /** The ids of all registered clients. */
    Set<String> ids() {
        return clients.keySet();
    }

    /** The client in the header field or in the body, if the secret is right. */
    Decision of(EndpointRequest request, Map<String, String> fields) {
        if (clients.isEmpty()) {
            return Decision.NONE;
        }
        List<String> basic = request.headers().values("Authorization").stream()
                .filter(field -> field.regionMatches(true, 0, BASIC, 0, BASIC.length()))
                .toList();
        boolean isPosted = fields.containsKey("client_secret");
        if (basic.size() > 1 || (isPosted && !basic.isEmpty())) {
            return Decision.refused(TokenRefusal.INVALID_REQUEST);
        }
        if (!basic.isEmpty()) {
            return ofPair(basic.get(0).substring(BASIC.length()), fields.get("client_id"));
        }
        String id = fields.getOrDefault("client_id", "");
        return id.isEmpty() && !isPosted ? Decision.NONE : of(id, fields.getOrDefault("client_secret", ""));
    }

    /** Whether this client may use this grant type; a request without a client may use all. */
    boolean mayUse(String id, String grant) {
        Set<String> grants = clients.getOrDefault(id, NOBODY).grants;
        return grants.isEmpty() || grants.contains(grant);
    }

    /** A client_id in the body has to be the client of the pair. */
    private Decision ofPair(String encoded, @Nullable String other) {
        String text = encoded.strip().replaceAll("=+$", "");
        if (!BASE64.matcher(text).matches() || text.length() % 4 == 1) {
            return Decision.refused(TokenRefusal.INVALID_CLIENT);
        }
        String pair = new String(bytesOf(text), StandardCharsets.UTF_8);
        int colon = pair.indexOf(':');
        String id = pair.substring(0, Math.max(0, colon));
        Decision decision = ofEncoded(id, pair.substring(colon + 1));
        return decision.isClient() && other != null && !other.equals(decision.id())
                ? Decision.refused(TokenRefusal.INVALID_REQUEST)
                : decision;
    }

    /** Not by the JDK's decoder: its vectorised form has written out of bounds (JDK-8392044). The text is in the alphabet, without padding. */
    private static byte[] bytesOf(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int bits = 0;
        int held = 0;
        for (int i = 0; i < text.length(); i++) {
            bits = bits << 6 | ALPHABET.indexOf(text.charAt(i));
            held += 6;
            if (held >= 8) {
                held -= 8;
                bytes.write(bits >>> held);
            }
        }
        return bytes.toByteArray();
    }

    /**
     * Answers a request about the field {@code token}. A token in the URL is refused.
     *
     * @param admission the reason against a client, if any
     */
    Answer withToken(
            EndpointRequest request,
            Function<Decision, Optional<TokenRefusal>> admission,
            BiFunction<Decision, String, Answer> answer) {
        return request.withFields(
                fields -> {
                    Decision client = of(request, fields);
                    String token = fields.get("token");
                    Optional<TokenRefusal> refusal = admission.apply(client);
                    if (refusal.isPresent()) {
                        return refusal.get().asError();
                    }
                    return token == null || request.query().isPresent()
                            ? TokenRefusal.INVALID_REQUEST.asError()
                            : answer.apply(client, token);
                },
                TokenRefusal::unreadable);
    }

    /** The RFC asks for form-encoded parts. ScribeJava and curl send plain parts, and a secret in Base64 may have a plus sign. */
    private Decision ofEncoded(String id, String secret) {
        try {
            Decision encoded = of(FormFields.decoded(id), FormFields.decoded(secret));
            return encoded.isClient() ? encoded : of(id, secret);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return of(id, secret);
        }
    }

    private Decision of(String id, String secret) {
        Client client = clients.getOrDefault(id, NOBODY);
        boolean isRight = MessageDigest.isEqual(client.digest, Sha256.of(secret.getBytes(StandardCharsets.UTF_8)));
        return isRight ? new Decision(client.id, Optional.empty()) : Decision.refused(TokenRefusal.INVALID_CLIENT);
    }
}
