package dev.latchkey.auth.spring.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.engine.HeaderFields;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cookies of tokens: attributes, and the effect on requests. */
class LoginCookiesTest {

    private final LoginCookies cookies = LoginCookies.named("shop");

    @Test
    void cookies_areOfTheHostAlone_andOutOfReachOfScripts() {
        assertThat(cookies.accessCookie("a.b.c", Duration.ofHours(1)))
                .isEqualTo("__Host-shop=a.b.c; Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Strict");
        assertThat(cookies.refreshCookie("r", Duration.ofDays(7)))
                .isEqualTo("__Host-shop-refresh=r; Path=/; Max-Age=604800; Secure; HttpOnly; SameSite=Strict");
        assertThat(cookies.withSameSite(LoginCookies.SameSite.LAX).accessCookie("a", Duration.ZERO))
                .endsWith("; SameSite=Lax");
    }

    @Test
    void logout_endsBoth() {
        assertThat(cookies.removals())
                .hasSize(2)
                .allSatisfy(cookie -> assertThat(cookie).contains("=; Path=/; Max-Age=0; "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a;b", "a b", "a\r\nb", "a,b", "\"a\"", "a\\b", "ä"})
    void tokenThatNoCookieCarries_isRefused_andNotTold(String token) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cookies.accessCookie(token, Duration.ZERO))
                .withMessageNotContaining(token);
    }

    @Test
    void tokens_areReadAmongOtherCookies() {
        HeaderFields sent = sent("other=1; __Host-shop=a.b.c;__Host-shop-refresh=r; x__Host-shop=2");
        assertThat(cookies.accessIn(sent)).contains("a.b.c");
        assertThat(cookies.refreshIn(sent)).contains("r");
        assertThat(LoginCookies.named("other").accessIn(sent)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "__Host-shop=", "__Host-shop", "__Host-shop=a; __Host-shop=b", "__host-shop=a", "; ;=;"})
    void missingRepeatedOrEmptyCookie_isNone(String field) {
        assertThat(cookies.accessIn(sent(field))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a;b", "a=b", "ä", "a\r\nSet-Cookie: x"})
    void nameThatIsNoneOfACookie_isRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> LoginCookies.named(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "app", "//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nX: y", "/a b"})
    void landingThatIsNoPathOfThisHost_isRefused(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> cookies.withLanding(path));
    }

    @Test
    void landing_isAPath() {
        assertThat(cookies.landing()).isEqualTo("/");
        assertThat(cookies.withLanding("/app/#/home?x=1").landing()).isEqualTo("/app/#/home?x=1");
    }

    @Test
    void cookiesAreAsked_byOneFieldAlone() {
        assertThat(LoginCookies.areAskedBy(name -> name.equals("Latchkey-Carrier") ? List.of("cookie") : List.of()))
                .isTrue();
        assertThat(LoginCookies.areAskedBy(name -> List.of())).isFalse();
        assertThat(LoginCookies.areAskedBy(name -> List.of("cookie", "cookie"))).isFalse();
        assertThat(LoginCookies.areAskedBy(name -> List.of("header"))).isFalse();
    }

    private static HeaderFields sent(String field) {
        Map<String, List<String>> fields = Map.of("Cookie", List.of(field));
        return name -> fields.getOrDefault(name, List.of());
    }
}
