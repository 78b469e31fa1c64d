package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Services;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCrypt;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.servlet.MockMvc;

/** {@code how-to/from-sa-token.md}, followed with hashes as its {@code BCrypt.hashpw} writes them. */
@Tag("long")
class SaTokenGuideTest {

    /** The public methods of {@code StpUtil}, by their names, of its version 1.39. */
    private static final List<String> STP_UTIL = List.of("""
            checkActiveTimeout checkDisable checkDisableLevel checkLogin checkPermission checkPermissionAnd checkPermissionOr checkRole
            checkRoleAnd checkRoleOr checkSafe closeSafe createLoginSession disable disableLevel endSwitch getAnonTokenSession getDisableLevel getDisableTime
            getExtra getLoginDevice getLoginDeviceByToken getLoginId getLoginIdAsInt getLoginIdAsLong getLoginIdAsString getLoginIdByToken
            getLoginIdDefaultNull getLoginType getOrCreateLoginSession getPermissionList getRoleList getSafeTime getSession getSessionByLoginId getSessionBySessionId
            getSessionTimeout getStpLogic getTokenActiveTimeout getTokenInfo getTokenLastActiveTime getTokenName getTokenSession getTokenSessionByToken
            getTokenSessionTimeout getTokenSignListByLoginId getTokenTimeout getTokenValue getTokenValueByLoginId getTokenValueListByLoginId
            getTokenValueNotCut hasPermission hasPermissionAnd hasPermissionOr hasRole hasRoleAnd hasRoleOr isDisable isDisableLevel isLogin isSafe isSwitch
            kickout kickoutByTokenValue login logout logoutByTokenValue openSafe renewTimeout replaced searchSessionId searchTokenSessionId searchTokenValue
            setStpLogic setTokenValue switchTo untieDisable updateLastActiveToNow""".split("\\s+"));

    @TempDir
    Path folder;

    @Test
    void eachMethodOfStpUtil_hasOneRow() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "how-to", "from-sa-token.md"));
        assertThat(STP_UTIL).hasSize(78);
        assertThat(Pattern.compile("(?m)^\\| `(\\w+)` \\| (?=\\S)")
                        .matcher(page.substring(page.indexOf("## Each method of StpUtil")))
                        .results()
                        .map(row -> row.group(1))
                        .filter(name -> !name.equals("StpUtil")))
                .containsExactlyInAnyOrderElementsOf(STP_UTIL);
    }

    @Test
    void freshProof_opensWhatAsksForIt_andAnAdministratorActsAsAUser() throws Exception {
        try (Guide guide = Guide.of("how-to/from-sa-token.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(
                            Accounts.class,
                            guide.type("ApiSecurity"),
                            guide.type("UserAdmin"),
                            guide.type("Safety"),
                            guide.type("Safety$Who"))
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        String token = tokenOf(mvc, "zhang");
                        mvc.perform(post("/pay").header("Authorization", token)).andExpect(status().isUnauthorized());
                        String proof = "{\"username\":\"zhang\",\"password\":\"" + Services.PASSWORD + "\"}";
                        String safe = "Bearer "
                                + Services.tokenFrom(mvc.perform(post("/safe")
                                        .header("Authorization", token)
                                        .contentType("application/json")
                                        .content(proof)));
                        mvc.perform(post("/pay").header("Authorization", safe))
                                .andExpect(content().string("paid"));
                        String acting = "Bearer "
                                + Services.tokenFrom(
                                        mvc.perform(post("/switch/li").header("Authorization", token)));
                        mvc.perform(post("/user/add").header("Authorization", acting))
                                .andExpect(status().isForbidden());
                        mvc.perform(post("/switch/zhang").header("Authorization", tokenOf(mvc, "li")))
                                .andExpect(status().isForbidden());
                    });
        }
    }

    @Test
    void oldHashLogsIn_andWhatAnAnnotationAsksFor_isAskedFor() throws Exception {
        try (Guide guide = Guide.of("how-to/from-sa-token.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(Accounts.class, guide.type("ApiSecurity"), guide.type("UserAdmin"))
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        guide.shows(mvc.perform(post("/user/doLogin")
                                        .contentType("application/json")
                                        .content(Services.LOGIN.replace("alice", "zhang")))
                                .andReturn()
                                .getResponse()
                                .getContentAsString());
                        guide.shows(mvc.perform(post("/user/add").header("Authorization", tokenOf(mvc, "zhang")))
                                .andExpect(status().isOk())
                                .andReturn()
                                .getResponse()
                                .getContentAsString());
                        mvc.perform(post("/user/add").header("Authorization", tokenOf(mvc, "li")))
                                .andExpect(status().isForbidden());
                        mvc.perform(post("/user/add")).andExpect(status().isUnauthorized());
                        mvc.perform(post("/open/nothing")).andExpect(status().isNotFound());
                    });
        }
    }

    @Test
    void laterLoginOfADevice_endsTheEarlierOne_andNoneOfAnother() throws Exception {
        try (Guide guide = Guide.of("how-to/from-sa-token.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(
                            Accounts.class, guide.type("ApiSecurity"), guide.type("UserAdmin"), guide.type("Devices"))
                    .withPropertyValues(guide.configuration(0))
                    .withPropertyValues(
                            "latchkey.login.refresh.enabled=true",
                            "latchkey.login.max-per-account=1",
                            "latchkey.login.when-full=end-oldest-of-device")
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        String earlier = tokenOf(mvc, "zhang", "PC");
                        String another = tokenOf(mvc, "zhang", "APP");
                        String later = tokenOf(mvc, "zhang", "PC");
                        mvc.perform(post("/user/add").header("Authorization", earlier))
                                .andExpect(status().isUnauthorized());
                        for (String good : List.of(another, later)) {
                            mvc.perform(post("/user/add").header("Authorization", good))
                                    .andExpect(status().isOk());
                        }
                    });
        }
    }

    private static String tokenOf(MockMvc mvc, String name) throws Exception {
        return tokenOf(mvc, name, "none");
    }

    private static String tokenOf(MockMvc mvc, String name, String device) throws Exception {
        return "Bearer "
                + Services.tokenFrom(mvc.perform(post("/user/doLogin")
                        .header("X-Device", device)
                        .contentType("application/json")
                        .content(Services.LOGIN.replace("alice", name))));
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(user("zhang", "ROLE_admin", "user.add"), user("li", "ROLE_user"));
        }

        private static UserDetails user(String name, String... authorities) {
            String hash = BCrypt.hashpw(Services.PASSWORD, BCrypt.gensalt(4));
            return User.withUsername(name)
                    .password(hash)
                    .authorities(authorities)
                    .build();
        }
    }
}
