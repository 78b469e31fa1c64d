package dev.latchkey.auth.spring.issuer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An issuer on loopback: it publishes its keys, and signs tokens as Keycloak does. */
public final class IssuerServer implements AutoCloseable {

    private final HttpServer server;
    final AtomicInteger fetched = new AtomicInteger();
    volatile boolean answers = true;
    volatile RSAKey key;
    private volatile String idToken = "";
    final String issuer;

    public IssuerServer(int number, String issuer) {
        this.issuer = issuer;
        this.key = rsa(number, "key-1");
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/keys", exchange -> {
            fetched.incrementAndGet();
            byte[] body = new JWKSet(List.<JWK>of(key)).toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answers ? 200 : 500, answers ? body.length : -1);
            if (answers) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.createContext("/token", exchange -> {
            byte[] body = ("{\"access_token\":\"x\",\"token_type\":\"Bearer\",\"expires_in\":60,\"id_token\":\""
                            + idToken + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** One of three keys. Two keys may have one id. */
    public static RSAKey rsa(int number, String id) {
        return new RSAKey.Builder(QuickKeys.key(number)).keyID(id).build();
    }

    static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the next authorization code is exchanged for. */
    public void answerCodeWith(String subject, String nonce) {
        idToken = token(subject, claims -> claims.audience("orders").claim("nonce", nonce));
    }

    public String issuer() {
        return issuer;
    }

    public String tokens() {
        return keys().replace("/keys", "/token");
    }

    public String keys() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
    }

    /** The settings of a service that trusts this issuer under this name. */
    String[] settings(String name) {
        String prefix = "latchkey.trusted-issuers." + name + ".";
        return new String[] {
            prefix + "issuer=" + issuer,
            prefix + "jwk-set-uri=" + keys(),
            prefix + "audience=orders",
            prefix + "authorities-claim=realm_access.roles",
            prefix + "authority-prefix=ROLE_"
        };
    }

    public String token(String subject) {
        return token(subject, claims -> claims);
    }

    String token(String subject, UnaryOperator<JWTClaimsSet.Builder> more) {
        return sign(key, claims(subject, more));
    }

    JWTClaimsSet claims(String subject, UnaryOperator<JWTClaimsSet.Builder> more) {
        Instant now = Instant.now();
        return more.apply(new JWTClaimsSet.Builder()
                        .issuer(issuer)
                        .subject(subject)
                        .audience(List.of("account", "orders"))
                        .jwtID(UUID.randomUUID().toString())
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plusSeconds(300)))
                        .claim("realm_access", java.util.Map.of("roles", List.of("buyer", "admin")))
                        .claim("scope", "openid profile"))
                .build();
    }

    static String sign(JWK key, JWTClaimsSet claims) {
        try {
            boolean isRsa = key instanceof RSAKey;
            JWSSigner signer = isRsa ? new RSASSASigner(key.toRSAKey()) : new ECDSASigner(key.toECKey());
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256)
                            .keyID(key.getKeyID())
                            .type(JOSEObjectType.JWT)
                            .build(),
                    claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
