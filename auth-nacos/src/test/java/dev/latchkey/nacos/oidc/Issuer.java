package dev.latchkey.nacos.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.PlainHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An OpenID Connect provider on loopback: discovery document, keys, and tokens. */
public final class Issuer implements AutoCloseable {

    public static final String AUDIENCE = "nacos";

    private final int port;
    private final AtomicInteger reads = new AtomicInteger();
    private HttpServer server;
    private JWK key = newKey();
    private String keysUri;

    private Issuer(HttpServer server) {
        this.server = server;
        this.port = server.getAddress().getPort();
        this.keysUri = url() + "/keys";
    }

    public static Issuer start() {
        Issuer issuer = new Issuer(listening(0));
        issuer.answer();
        return issuer;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public int reads() {
        return reads.get();
    }

    /** From now on the keys are of RSA, which take long to make. */
    public void rotate() {
        try {
            key = new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("No key", e);
        }
    }

    /** From now on the discovery document has this address of the keys. */
    public void nameKeys(String uri) {
        keysUri = uri;
    }

    public void stop() {
        server.stop(0);
    }

    public void startAgain() {
        server = listening(port);
        answer();
    }

    /** A token of client credentials for this server, good for a minute. */
    public String token(String subject, UnaryOperator<JWTClaimsSet.Builder> claims) {
        return token(key, subject, claims);
    }

    /** The same with the signature of a stranger's key, under the id of the issuer's. */
    public String forged(String subject) {
        JWK strangers =
                new ECKey.Builder(newKey().toECKey()).keyID(key.getKeyID()).build();
        return token(strangers, subject, claims -> claims);
    }

    /** The same with a key that the issuer does not have. */
    public String ofUnknownKey(String subject) {
        return token(newKey(), subject, claims -> claims);
    }

    /** The same without a signature, with the algorithm {@code none}. */
    public String unsigned(String subject) {
        return new PlainJWT(new PlainHeader(), usual(subject).build()).serialize();
    }

    /**
     * The same with a MAC under a public key of RSA, in the encoding that the library of an attacked server would use. The header names the
     * key.
     */
    public String macUnderThePublicKey(String subject) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256)
                            .keyID(key.getKeyID())
                            .build(),
                    usual(subject).build());
            token.sign(new MACSigner(key.toRSAKey().toPublicKey().getEncoded()));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("No token", e);
        }
    }

    private JWTClaimsSet.Builder usual(String subject) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(url())
                .subject(subject)
                .audience(AUDIENCE)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(60)))
                .jwtID(UUID.randomUUID().toString());
    }

    private String token(JWK signing, String subject, UnaryOperator<JWTClaimsSet.Builder> claims) {
        boolean isRsa = signing instanceof RSAKey;
        JWSHeader header = new JWSHeader.Builder(isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256)
                .type(new JOSEObjectType("at+jwt"))
                .keyID(signing.getKeyID())
                .build();
        try {
            SignedJWT token = new SignedJWT(header, claims.apply(usual(subject)).build());
            token.sign(isRsa ? new RSASSASigner(signing.toRSAKey()) : new ECDSASigner(signing.toECKey()));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("No token", e);
        }
    }

    private void answer() {
        server.createContext(
                "/.well-known/openid-configuration",
                exchange -> send(exchange, "{\"issuer\":\"" + url() + "\",\"jwks_uri\":\"" + keysUri + "\"}"));
        server.createContext("/keys", exchange -> {
            reads.incrementAndGet();
            send(exchange, new JWKSet(key.toPublicJWK()).toString());
        });
        server.start();
    }

    private static void send(HttpExchange exchange, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        try (var body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }

    private static HttpServer listening(int port) {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new IllegalStateException("The issuer cannot listen", e);
        }
    }

    private static JWK newKey() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyID(UUID.randomUUID().toString())
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("No key", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
