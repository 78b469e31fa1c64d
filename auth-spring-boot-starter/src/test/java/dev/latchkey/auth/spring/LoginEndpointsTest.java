package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.RefreshTokenStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.test.web.servlet.ResultMatcher;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** Login, refresh, revocation and logout as a client meets them. */
class LoginEndpointsTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String FORM_LOGIN = "username=alice&password=" + Services.PASSWORD;

    private static final List<String> NO_LOGINS = List.of(
            "text/plain | x | 415",
            "application/json;charset=utf-16 | {} | 415",
            "application/json;charset=nonsense | {} | 415",
            "application/xml | <x/> | 415",
            "multipart/form-data;boundary=x | --x-- | 415",
            "application/vnd.api+json | {} | 415",
            "rubbish | x | 415",
            "*/* | {} | 415",
            "application/json | {} | 400",
            "application/json | null | 400",
            "application/json | [] | 400",
            "application/json | {\"username\":\"alice\"} | 400",
            "application/json | {\"username\":\"alice\",\"password\":null} | 400",
            "application/json | {\"username\":\"alice\",\"password\":1} | 400",
            "application/json | {\"username\":\"alice\",\"password\":\"\\ud800\"} | 400",
            "application/json | {\"username\" | 400",
            "application/x-www-form-urlencoded | username=alice | 400",
            "application/x-www-form-urlencoded | username=alice&password=a&password=b | 400",
            "application/x-www-form-urlencoded | username=alice&password=%zz | 400",
            "application/x-www-form-urlencoded | username=alice&password=%e | 400",
            "application/x-www-form-urlencoded | username=alice&password=%ff | 400",
            "application/x-www-form-urlencoded;charset=ISO-8859-1 | username=a&password=b | 415",
            "application/x-www-form-urlencoded;charset=utf-8 | username=a&password=b | 401",
            "APPLICATION/JSON; charset=UTF-8 | {\"username\":\"a\",\"password\":\"b\"} | 401");

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Chain.class)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true");

    @Test
    void formAndJson_bothLogIn_inTheShapeOfOAuth() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (ResultActions login :
                    List.of(login(mvc, FORM, FORM_LOGIN), login(mvc, "application/json", Services.LOGIN))) {
                login.andExpect(status().isOk())
                        .andExpect(content().contentType(MediaType.APPLICATION_JSON))
                        .andExpect(header().string("Cache-Control", "no-store"))
                        .andExpect(header().doesNotExist("Set-Cookie"))
                        .andExpect(member("token_type", "Bearer"))
                        .andExpect(member("expires_in", 3600))
                        .andExpect(result ->
                                assertThat(memberOf(result, "access_token")).isInstanceOf(String.class))
                        .andExpect(result ->
                                assertThat(memberOf(result, "refresh_token")).isInstanceOf(String.class));
            }
        });
    }

    @Test
    void loginOfNacos_readsTheNameFromTheUrl_andAnswersInItsShape() {
        service.withPropertyValues("latchkey.login.response=nacos", "latchkey.login.path=/nacos/v1/auth/users/login")
                .run(context -> {
                    context.getBean(InMemoryUserDetailsManager.class)
                            .createUser(User.withUsername("the \"boss\\")
                                    .password(context.getBean(InMemoryUserDetailsManager.class)
                                            .loadUserByUsername("alice")
                                            .getPassword())
                                    .roles("ADMIN")
                                    .build());
                    MockMvc mvc = Services.mvc(context);
                    mvc.perform(post("/nacos/v1/auth/users/login?username=alice")
                                    .contentType(FORM)
                                    .content("password=" + Services.PASSWORD))
                            .andExpect(status().isOk())
                            .andExpect(member("tokenTtl", 3600))
                            .andExpect(member("globalAdmin", false))
                            .andExpect(member("username", "alice"))
                            .andExpect(result -> assertThat(result.getResponse().getHeader("Authorization"))
                                    .isEqualTo("Bearer " + memberOf(result, "accessToken")));
                    mvc.perform(post("/nacos/v1/auth/users/login")
                                    .contentType(FORM)
                                    .content("username=the+%22boss%5C&password=" + Services.PASSWORD))
                            .andExpect(member("globalAdmin", true))
                            .andExpect(member("username", "the \"boss\\"));
                });
    }

    @Test
    void nothingIsTakenFromTheUrl() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(post("/auth/login?" + FORM_LOGIN).contentType(FORM).content(""))
                    .andExpect(status().isBadRequest());
            mvc.perform(post("/auth/login?username=alice").contentType(FORM).content("password=" + Services.PASSWORD))
                    .andExpect(status().isBadRequest());
        });
    }

    @Test
    void bodyThatIsNoLogin_isAProblem() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (String row : NO_LOGINS) {
                String[] columns = row.split(" \\| ", -1);
                int status = Integer.parseInt(columns[2]);
                login(mvc, columns[0], columns[1])
                        .andExpect(result -> assertThat(result.getResponse().getStatus())
                                .as(row)
                                .isEqualTo(status))
                        .andExpect(content().contentType("application/problem+json"))
                        .andExpect(header().string("Cache-Control", "no-store"))
                        .andExpect(member("status", status));
            }
        });
    }

    @Test
    void bodyWithoutAType_orPacked_isNotRead() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(post("/auth/login").content(Services.LOGIN)).andExpect(status().isUnsupportedMediaType());
            mvc.perform(post("/auth/login")
                            .contentType("application/json")
                            .header("Content-Encoding", "gzip")
                            .content(Services.LOGIN))
                    .andExpect(status().isUnsupportedMediaType());
            mvc.perform(post("/auth/login").contentType("application/json").content(new byte[] {'{', (byte) 0xff, '}'}))
                    .andExpect(status().isBadRequest());
        });
    }

    @Test
    void passwordBeyondAscii_isReadAsUtf8InBothFormats() {
        service.run(context -> {
            InMemoryUserDetailsManager accounts = context.getBean(InMemoryUserDetailsManager.class);
            String hash = context.getBean(PasswordEncoder.class).encode("Grüße 鍵");
            accounts.createUser(User.withUsername("jürgen").password(hash).build());
            MockMvc mvc = Services.mvc(context);
            login(mvc, "application/json", "{\"username\":\"jürgen\",\"password\":\"Grüße 鍵\"}")
                    .andExpect(status().isOk());
            login(mvc, FORM, "username=j%C3%BCrgen&password=Gr%C3%BC%C3%9Fe+%E9%8D%B5")
                    .andExpect(status().isOk());
        });
    }

    @Test
    void refresh_replacesTheToken_andTheOldOneEndsTheLogin() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String first = refreshTokenOf(login(mvc, FORM, FORM_LOGIN));
            ResultActions refreshed = refresh(mvc, FORM, "grant_type=refresh_token&refresh_token=" + first)
                    .andExpect(status().isOk())
                    .andExpect(header().string("Cache-Control", "no-store"));
            String access = Services.tokenFrom(refreshed);
            mvc.perform(bearer(get("/hello"), access)).andExpect(content().string("Hello alice"));
            refresh(mvc, "application/json", "{\"refresh_token\":\"" + first + "\"}")
                    .andExpect(status().isBadRequest())
                    .andExpect(content().contentType("application/problem+json"))
                    .andExpect(member("error", "invalid_grant"));
            refresh(mvc, FORM, "refresh_token=" + refreshTokenOf(refreshed))
                    .andExpect(member("error", "invalid_grant"));
            mvc.perform(bearer(get("/hello"), access)).andExpect(status().isUnauthorized());
        });
    }

    @Test
    void bodyThatIsNoRefresh_isAProblem() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (String body : List.of(
                    "", "refresh_token=", "refresh_token=x", "token=x", "grant_type=password&refresh_token=x")) {
                refresh(mvc, FORM, body)
                        .andExpect(status().isBadRequest())
                        .andExpect(content().contentType("application/problem+json"));
            }
        });
    }

    @Test
    void disabledAccount_isNotRefreshed() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String token = refreshTokenOf(login(mvc, FORM, FORM_LOGIN));
            InMemoryUserDetailsManager accounts = context.getBean(InMemoryUserDetailsManager.class);
            accounts.updateUser(User.withUserDetails(accounts.loadUserByUsername("alice"))
                    .disabled(true)
                    .build());
            refresh(mvc, FORM, "refresh_token=" + token).andExpect(member("error", "invalid_grant"));
        });
    }

    @Test
    void revocation_takesEitherToken_andAnswersTheSameForAny() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            ResultActions one = login(mvc, FORM, FORM_LOGIN);
            ResultActions two = login(mvc, FORM, FORM_LOGIN);
            String other = Services.tokenFrom(login(mvc, FORM, FORM_LOGIN));
            for (String token : List.of(
                    refreshTokenOf(one), Services.tokenFrom(two), "rubbish", refreshTokenOf(one), "%F0%9F%94%91")) {
                mvc.perform(post("/auth/revoke").contentType(FORM).content("token_type_hint=whatever&token=" + token))
                        .andExpect(status().isOk())
                        .andExpect(content().string(""));
            }
            for (ResultActions login : List.of(one, two)) {
                mvc.perform(bearer(get("/hello"), Services.tokenFrom(login))).andExpect(status().isUnauthorized());
                refresh(mvc, FORM, "refresh_token=" + refreshTokenOf(login)).andExpect(status().isBadRequest());
            }
            mvc.perform(bearer(get("/hello"), other)).andExpect(status().isOk());
            mvc.perform(post("/auth/revoke").contentType(FORM).content("")).andExpect(status().isBadRequest());
        });
    }

    @Test
    void logout_endsTheRefreshTokenToo() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            ResultActions login = login(mvc, FORM, FORM_LOGIN);
            mvc.perform(bearer(post("/auth/logout"), Services.tokenFrom(login))).andExpect(status().isNoContent());
            refresh(mvc, FORM, "refresh_token=" + refreshTokenOf(login)).andExpect(status().isBadRequest());
        });
    }

    @Test
    void refreshTokens_areThereWhereTheyAreAskedForOnly() {
        service.withPropertyValues("latchkey.login.refresh.enabled=false").run(context -> {
            assertThat(context)
                    .doesNotHaveBean(RefreshTokenStore.class)
                    .doesNotHaveBean(RefreshableLogins.class)
                    .doesNotHaveBean(RefreshEndpoint.class);
            MockMvc mvc = Services.mvc(context);
            login(mvc, FORM, FORM_LOGIN).andExpect(member("refresh_token", null));
            mvc.perform(post("/auth/refresh").contentType(FORM)).andExpect(status().isForbidden());
        });
        service.withPropertyValues("latchkey.login.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(RefreshTokenStore.class)
                        .doesNotHaveBean(TokenEndpoint.class));
    }

    private static ResultActions login(MockMvc mvc, String type, String body) throws Exception {
        return mvc.perform(withBody(post("/auth/login"), type, body));
    }

    private static ResultActions refresh(MockMvc mvc, String type, String body) throws Exception {
        return mvc.perform(withBody(post("/auth/refresh"), type, body));
    }

    /** The header field as it is written: the typed setter refuses what is no media type. */
    private static MockHttpServletRequestBuilder withBody(
            MockHttpServletRequestBuilder request, String type, String body) {
        return request.header("Content-Type", type).content(body.getBytes(StandardCharsets.UTF_8));
    }

    private static MockHttpServletRequestBuilder bearer(MockHttpServletRequestBuilder request, String token) {
        return request.header("Authorization", "Bearer " + token);
    }

    private static ResultMatcher member(String name, Object value) {
        return result -> assertThat(memberOf(result, name)).isEqualTo(value);
    }

    private static Object memberOf(MvcResult result, String name) throws Exception {
        return JsonParserFactory.getJsonParser()
                .parseMap(result.getResponse().getContentAsString(StandardCharsets.UTF_8))
                .get(name);
    }

    private static String refreshTokenOf(ResultActions login) throws Exception {
        return (String) memberOf(login.andReturn(), "refresh_token");
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }
}
