package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.login.TokenCustomizer;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Known services, each before and after, called by a page of another origin: the login keeps the path, old tokens keep their
 * rights, and the rules stay.
 */
@Tag("long")
class BeforeAndAfterTest {

    private static final String LOGIN = "{\"username\":\"admin\",\"password\":\"" + Services.PASSWORD + "\"}";

    /** A resource server of HS512 with the authorities in {@code auth}, and {@code id_token} as the answer of its login. */
    @Test
    void jhipster() throws Exception {
        String[] old = new String[1];
        Services.boot()
                .withUserConfiguration(ShapeOfJHipster.class, Shapes.Common.class)
                .run(before -> old[0] = loginAndUse(new Browser(before), "/api/authenticate", "id_token"));
        after("/api/authenticate", "id_token")
                .withPropertyValues(
                        "latchkey.jwt.secret=" + ShapeOfJHipster.SECRET,
                        "latchkey.jwt.secret-encoding=nimbus",
                        "latchkey.jwt.algorithm=HS512",
                        "latchkey.jwt.old-tokens.authorities-claim=auth")
                .run(after -> {
                    Browser page = new Browser(after);
                    use(page, old[0]);
                    use(page, loginAndUse(page, "/api/authenticate", "access_token"));
                    refuse(page, old[0] + "x");
                });
    }

    /** A filter of the service's own, tokens of jjwt with a text for a secret and without roles, and {@code token} as the answer. */
    @Test
    void tutorial() throws Exception {
        String[] old = new String[1];
        Services.boot()
                .withUserConfiguration(ShapeOfATutorial.class, Shapes.Common.class)
                .run(before -> old[0] = loginAndUse(new Browser(before), "/api/auth/signin", "token"));
        after("/api/auth/signin", "token")
                .withPropertyValues(
                        "latchkey.jwt.secret=" + ShapeOfATutorial.SECRET,
                        "latchkey.jwt.secret-encoding=text",
                        "latchkey.jwt.algorithm=HS256",
                        "latchkey.jwt.old-tokens.look-up-accounts=true")
                .run(after -> {
                    Browser page = new Browser(after);
                    use(page, old[0]);
                    use(page, loginAndUse(page, "/api/auth/signin", "access_token"));
                    refuse(page, old[0] + "x");
                });
    }

    /** Names of logins in a map, a header field of its own, and permissions with stars: everybody logs in once more, and the rest stays. */
    @Test
    void saToken() throws Exception {
        String[] old = new String[1];
        Services.boot()
                .withUserConfiguration(ShapeOfSaToken.class, Shapes.Common.class)
                .run(before -> {
                    Browser page = new Browser(before);
                    old[0] = member("tokenValue", page.post("/user/doLogin", LOGIN, Map.of()));
                    assertThat(page.get("/admin", Map.of("satoken", old[0]))).isEqualTo("200 hello admin");
                    assertThat(page.get("/orders", Map.of("satoken", old[0]))).isEqualTo("200 orders");
                    assertThat(page.get("/orders", Map.of("satoken", "x"))).startsWith("401");
                });
        after("/user/doLogin", "tokenValue")
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.permissions.by-authorities=true")
                .run(after -> {
                    Browser page = new Browser(after);
                    String token = loginAndUse(page, "/user/doLogin", "access_token");
                    assertThat(page.get("/orders", bearer(token))).isEqualTo("200 orders");
                    refuse(page, old[0]);
                });
    }

    private static WebApplicationContextRunner after(String path, String answer) {
        return Services.web()
                .withUserConfiguration(WithLatchkey.class, Shapes.Common.class)
                .withBean(
                        TokenCustomizer.class,
                        () -> (login, options) -> options.withAnswer(
                                tokens -> Map.of(answer, tokens.access().value())))
                .withPropertyValues("latchkey.login.enabled=true", "latchkey.login.path=" + path);
    }

    private static String loginAndUse(Browser page, String path, String answer) throws Exception {
        assertThat(page.post(path, LOGIN.replace(Services.PASSWORD, "wrong"), Map.of()))
                .startsWith("401");
        String token = member(answer, page.post(path, LOGIN, Map.of()));
        use(page, token);
        return token;
    }

    private static void use(Browser page, String token) throws Exception {
        assertThat(page.get("/hello", bearer(token))).isEqualTo("200 hello admin");
        assertThat(page.get("/admin", bearer(token))).isEqualTo("200 hello admin");
        assertThat(page.get("/root", bearer(token))).startsWith("403");
    }

    private static void refuse(Browser page, String token) throws Exception {
        assertThat(page.get("/hello", bearer(token))).startsWith("401");
    }

    private static Map<String, String> bearer(String token) {
        return Map.of("authorization", "Bearer " + token);
    }

    private static String member(String name, String answer) {
        assertThat(answer).startsWith("200");
        Matcher member = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(answer);
        assertThat(member.find()).as(answer).isTrue();
        return member.group(1);
    }

    /** What replaces the security configuration of each, and its login controller. */
    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class WithLatchkey {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .cors(withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
