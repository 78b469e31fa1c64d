package dev.latchkey.benchmarks.load.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service that does not check what it is to check is not measured. */
class RequestCheckTest {

    private final JwtVerifier verifier =
            JwtVerifier.with(HmacKey.of(Base64.getDecoder().decode(RequestTokens.KEY)));
    private HttpServer server;
    private volatile Predicate<String> isLetIn = this::isGood;
    private volatile String text = "Hello";

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hello", exchange -> {
            boolean isLetInHere =
                    isLetIn.test(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            byte[] body = (isLetInHere ? text : "Who?").getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(isLetInHere ? 200 : 401, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void serviceThatChecks_passes() {
        assertThatCode(() -> check(RequestVariant.LATCHKEY)).doesNotThrowAnyException();
    }

    @Test
    void serviceThatLetsEverybodyIn_passesWhereNothingIsChecked_andNowhereElse() {
        isLetIn = any -> true;
        assertThatCode(() -> check(RequestVariant.OPEN)).doesNotThrowAnyException();
        assertThatCode(() -> check(RequestVariant.OPEN)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(RequestVariant.JJWT)).hasMessageContaining("expired");
        assertThatThrownBy(() -> check(RequestVariant.LEAST)).hasMessageContaining("expired");
    }

    @Test
    void serviceThatLetsNobodyIn_isNone() {
        isLetIn = any -> false;
        assertThatThrownBy(() -> check(RequestVariant.RESOURCE_SERVER)).hasMessageContaining("good token");
    }

    @Test
    void serviceThatWantsAnyToken_isNone() {
        isLetIn = shown -> shown.startsWith("Bearer ");
        assertThatThrownBy(() -> check(RequestVariant.LATCHKEY)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void serviceThatSaysSomethingElse_isNone() {
        text = "Hello alice";
        assertThatThrownBy(() -> check(RequestVariant.LATCHKEY)).hasMessageContaining("Hello alice");
    }

    @Test
    void badTokens_areOfEveryKind() {
        assertThat(RequestTokens.bad())
                .hasSize(5)
                .allSatisfy((what, token) ->
                        assertThat(isGood("Bearer " + token)).as(what).isFalse());
    }

    private boolean isGood(String shown) {
        return shown.startsWith("Bearer ")
                && verifier.verify(shown.substring("Bearer ".length()))
                        .verified()
                        .isPresent();
    }

    private void check(RequestVariant variant) throws Exception {
        new RequestCheck().require(variant, server.getAddress().getPort());
    }
}
