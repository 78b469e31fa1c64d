package dev.latchkey.auth.spring.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Header fields of plugins beside tokens, cookies, and plugins that fail. */
class UnforgeableRequestsTest {

    private static final LoginCookies COOKIES = LoginCookies.named("shop");

    private record Ticket() implements IssuedCredentials {}

    @Test
    void fieldOfAPlugin_countsIfThePluginSaysSo() {
        assertThat(requests(TokenHeader.AUTHORIZATION, null, reader("X-Key", true))
                        .contain(with("X-Key", "x")))
                .isTrue();
        assertThat(requests(TokenHeader.AUTHORIZATION, null, reader("X-Key", false))
                        .contain(with("X-Key", "x")))
                .isFalse();
        assertThat(requests(TokenHeader.AUTHORIZATION, null, reader("X-Other", false), reader("X-Key", true))
                        .contain(with("X-Other", "x")))
                .isFalse();
    }

    @Test
    void nothingCounts_besideACookieOfTheChain() {
        UnforgeableRequests requests = requests(TokenHeader.AUTHORIZATION, COOKIES, reader("X-Key", true));
        for (String cookie : List.of("__Host-shop=a.b.c", "__Host-shop-refresh=r")) {
            assertThat(requests.contain(with("X-Key", "x").withHeader("Cookie", cookie)))
                    .isFalse();
            assertThat(requests.contain(with("Authorization", "Bearer x").withHeader("Cookie", cookie)))
                    .isFalse();
        }
        assertThat(requests.contain(with("X-Key", "x").withHeader("Cookie", "theme=dark")))
                .isTrue();
        assertThat(requests.contain(with("Authorization", "Bearer x"))).isTrue();
        assertThat(requests.contain(with("Cookie", "__Host-shop=a.b.c"))).isFalse();
    }

    @Test
    void resourceServer_decidesAboutTokens_andLatchkeyAboutPlugins() {
        UnforgeableRequests requests = requests(null, null, reader("X-Key", true));
        assertThat(requests.contain(with("Authorization", "Bearer x"))).isFalse();
        assertThat(requests.contain(with("X-Key", "x"))).isTrue();
    }

    @Test
    void pluginThatFails_exemptsNoRequest() {
        List<Supplier<RuntimeException>> failures =
                List.of(() -> AuthUnavailableException.outage("down"), IllegalStateException::new);
        for (Supplier<RuntimeException> failure : failures) {
            CredentialsReader broken = new Reader("X-Key", true) {
                @Override
                public Optional<Credentials> read(RequestContext context) {
                    throw failure.get();
                }
            };
            assertThat(requests(TokenHeader.AUTHORIZATION, null, broken).contain(with("X-Key", "x")))
                    .isFalse();
        }
    }

    private static UnforgeableRequests requests(
            @Nullable TokenHeader header, @Nullable LoginCookies cookies, CredentialsReader... readers) {
        AuthChain plugins = AuthChain.of(readers);
        return new UnforgeableRequests(header, () -> plugins, cookies);
    }

    private static RequestContext with(String field, String value) {
        return RequestContext.none().withHeader(field, value);
    }

    private static CredentialsReader reader(String field, boolean needsNoCsrfToken) {
        return new Reader(field, needsNoCsrfToken);
    }

    private static class Reader implements CredentialsReader {

        private final String field;
        private final boolean needsNoCsrfToken;

        Reader(String field, boolean needsNoCsrfToken) {
            this.field = field;
            this.needsNoCsrfToken = needsNoCsrfToken;
        }

        @Override
        public String name() {
            return "of-" + field.toLowerCase(Locale.ROOT);
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header(field).isEmpty() ? Optional.empty() : Optional.of(new Ticket());
        }

        @Override
        public boolean needsNoCsrfToken() {
            return needsNoCsrfToken;
        }
    }
}
