package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** The login endpoint is switched on: whether something takes its tokens, and whether something decides its passwords. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class LoginEndpointNoticeTest {

    private static final String UNREAD = "nothing in this service accepts the tokens of the login endpoint";
    private static final String UNDECIDED = "no auth plugin decides the passwords of the login endpoint";

    private static final UserDetails EVE =
            User.withUsername("eve").password("{noop}x").build();

    private final WebApplicationContextRunner servlet = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    @Test
    void tokensThatNoPluginAccepts_areOneWarning(CapturedOutput log) {
        servlet.withPropertyValues("latchkey.plugins=users")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(UNREAD, -1)).hasSize(2);
        assertThat(log).contains("WARN", "add jwt to latchkey.plugins");
    }

    @Test
    void tokensOfAResourceServerOrOfThePlugin_orOfNoEndpoint_areNoWarning(CapturedOutput log) {
        Services.resourceServer()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.login.enabled=true", "latchkey.plugins=users")
                .run(context -> assertThat(context).hasNotFailed());
        ReactiveServices.resourceServer()
                .withPropertyValues("spring.security.user.name=alice", "spring.security.user.password={noop}x")
                .withPropertyValues("latchkey.login.enabled=true", "latchkey.plugins=users")
                .run(context -> assertThat(context).hasNotFailed());
        servlet.withPropertyValues("latchkey.plugins=users,jwt")
                .run(context -> assertThat(context).hasNotFailed());
        servlet.withPropertyValues("latchkey.plugins=users", "latchkey.login.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(UNREAD).doesNotContain(UNDECIDED);
    }

    @Test
    void twoStoresOfAccounts_areOneWarning_withBothBeans(CapturedOutput log) {
        servlet.withBean("more", UserDetailsService.class, () -> new InMemoryUserDetailsManager(EVE))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(UNDECIDED, -1)).hasSize(2);
        assertThat(log).contains("WARN", "UserDetailsService", "there are [more, accounts]", "@Primary");
    }

    @Test
    void twoStoresOfAccounts_areNoWarning_ifOneIsPrimary_orAPluginDecides_orThereIsNoEndpoint(CapturedOutput log) {
        WebApplicationContextRunner two =
                servlet.withBean("more", UserDetailsService.class, () -> new InMemoryUserDetailsManager(EVE));
        servlet.withBean(
                        "more",
                        UserDetailsService.class,
                        () -> new InMemoryUserDetailsManager(EVE),
                        bean -> bean.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
        two.withBean("directory", AuthPlugin.class, Directory::new)
                .run(context -> assertThat(context).hasNotFailed());
        two.withPropertyValues("latchkey.plugins=jwt")
                .run(context -> assertThat(context).hasNotFailed());
        two.withPropertyValues("latchkey.login.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(UNDECIDED);
    }
}
