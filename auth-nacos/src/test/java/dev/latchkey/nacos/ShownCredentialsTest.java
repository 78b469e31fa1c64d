package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.plugin.auth.api.IdentityContext;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/** The order of README.md: {@code Authorization}, {@code accessToken} as a header field, {@code accessToken} as a parameter. */
final class ShownCredentialsTest {

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    /** What the server has read: header fields, overwritten by parameters. */
    private final IdentityContext context = new IdentityContext();

    @Test
    void tokens_countInOneOrder_whoeverAsks() {
        assertThat(tokenInRequest()).isEmpty();

        parameter("of-the-url");
        assertThat(tokenInRequest()).contains("of-the-url");
        assertThat(tokenInContext()).contains("of-the-url");

        request.addHeader("accessToken", "of-the-field");
        assertThat(tokenInRequest()).contains("of-the-field");
        assertThat(tokenInContext()).contains("of-the-field");

        request.addHeader("Authorization", "Bearer of-the-authorization");
        assertThat(tokenInRequest()).contains("of-the-authorization");
        assertThat(tokenInContext()).contains("of-the-authorization");
    }

    @Test
    void otherAuthorizationThanABearer_isNoToken() {
        request.addHeader("Authorization", "Basic YWRhOnJpZ2h0");
        parameter("of-the-url");

        assertThat(tokenInRequest()).contains("of-the-url");
        assertThat(tokenInContext()).contains("of-the-url");
    }

    @Test
    void callByGrpc_hasWhatTheServerHasRead() {
        context.setParameter("accessToken", "of-the-call");
        context.setParameter("username", "ada");
        context.setParameter("password", "right");
        ShownCredentials shown = ShownCredentials.in(context);

        assertThat(shown.token()).contains("of-the-call");
        assertThat(shown.username()).isEqualTo("ada");
        assertThat(shown.password()).isEqualTo("right");
        assertThat(shown.toString()).doesNotContain("of-the-call", "right");
    }

    @Test
    void blankToken_isNone() {
        parameter(" ");

        assertThat(tokenInRequest()).isEmpty();
        assertThat(tokenInContext()).isEmpty();
    }

    private void parameter(String token) {
        request.setParameter("accessToken", token);
        context.setParameter("accessToken", token);
    }

    private Optional<String> tokenInRequest() {
        return ShownCredentials.in(request).token();
    }

    private Optional<String> tokenInContext() {
        return CurrentCall.of(request, TrustedProxies.none())
                .within(() -> ShownCredentials.in(context).token());
    }
}
