package dev.latchkey.auth.spring.plugin;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** HTTP Basic of a WebFlux service asks the chain that the login endpoint asks. */
@ExtendWith({OutputCaptureExtension.class, AudibleLog.class})
class ReactiveSpringLoginsTest {

    private final Directory directory = new Directory();
    private final ReactiveWebApplicationContextRunner withoutAccounts = ReactiveServices.web()
            .withBean(Who.class)
            .withBean("directory", AuthPlugin.class, () -> directory)
            .withBean(PasswordEncoder.class, Services::cheapEncoder)
            .withPropertyValues("latchkey.tenant-header=X-Tenant");
    private final ReactiveWebApplicationContextRunner service = withoutAccounts.withPropertyValues(
            "spring.security.user.name=alice", "spring.security.user.password=" + Services.HASH);

    @Test
    void basic_asksThePlugins_andLeavesTheServicesAccountsAsTheyAre() {
        service.run(context -> {
            assertThat(ask(context, "bob", Directory.BOBS_PASSWORD)).isEqualTo("200 directory:bob Subject");
            assertThat(ask(context, "alice", Services.PASSWORD)).isEqualTo("200 alice User");
            assertThat(ask(context, "bob", "wrong")).startsWith("401");
            assertThat(ask(context, "nobody", "wrong")).startsWith("401");
            assertThat(directory.asked).startsWith("bob 192.0.2.1 emea");
        });
    }

    @Test
    void login_isCountedOnceByTheLimits() {
        service.run(context -> {
            for (int i = 0; i < 5; i++) {
                assertThat(ask(context, "bob", "wrong" + i)).startsWith("401");
            }
            assertThat(ask(context, "bob", "wrong5")).startsWith("429");
        });
    }

    @Test
    void outage_is503AndNoRejection() {
        directory.bob = () -> {
            throw AuthUnavailableException.outage("the directory is down");
        };
        service.run(context ->
                assertThat(ask(context, "bob", Directory.BOBS_PASSWORD)).startsWith("503"));
    }

    @Test
    void switchedOff_isSpringsOwnWay() {
        service.withPropertyValues("latchkey.authentication-manager.enabled=false")
                .run(context -> {
                    assertThat(ask(context, "bob", Directory.BOBS_PASSWORD)).startsWith("401");
                    assertThat(ask(context, "alice", Services.PASSWORD)).startsWith("200");
                    assertThat(directory.asked).isEmpty();
                });
    }

    @Test
    void managerOfTheService_decidesAlone_andTheLogSaysWhatToWrite(CapturedOutput log) {
        service.withBean("own", ReactiveAuthenticationManager.class, () -> login -> Mono.empty())
                .run(context -> {
                    ask(context, "bob", Directory.BOBS_PASSWORD);
                    assertThat(directory.asked).isEmpty();
                    assertThat(log).contains("[directory]", "http.authenticationManager(latchkey.passwords())");
                });
    }

    @Test
    void serviceWithAManagerOfItsOwn_hasThePluginsAskedByOneLine() {
        service.withBean("own", ReactiveAuthenticationManager.class, () -> login -> Mono.empty())
                .withUserConfiguration(AskingChain.class)
                .run(context -> {
                    assertThat(ask(context, "bob", Directory.BOBS_PASSWORD)).isEqualTo("200 directory:bob Subject");
                    for (int i = 0; i < 5; i++) {
                        assertThat(ask(context, "eve", "wrong" + i)).startsWith("401");
                    }
                    assertThat(ask(context, "eve", "wrong5")).startsWith("429");
                });
    }

    @Test
    void accountsThatNoPluginWouldDecide_logInAsTheyDid_andTheLogSaysWhy(CapturedOutput log) {
        service.withPropertyValues("latchkey.plugins=directory").run(context -> {
            assertThat(ask(context, "alice", Services.PASSWORD)).startsWith("200");
            assertThat(ask(context, "bob", Directory.BOBS_PASSWORD)).startsWith("401");
            assertThat(log).contains("latchkey.plugins does not name users");
        });
    }

    @Test
    void accountsOfOneName_areTwoSubjects_whereHttpBasicAsksTheServicesAccountsAlone() {
        service.withPropertyValues("latchkey.plugins=directory", "spring.security.user.name=bob")
                .run(context -> {
                    assertThat(ask(context, "bob", Services.PASSWORD)).isEqualTo("200 bob User");
                    assertThat(Directory.idOfBob(context)).isEqualTo("directory:bob");
                });
    }

    @Test
    void accountsOfOneName_areTwoSubjects_whereHttpBasicAsksAManagerOfTheService() {
        withoutAccounts
                .withPropertyValues("latchkey.plugins=directory")
                .withBean(
                        "own",
                        ReactiveAuthenticationManager.class,
                        () -> login -> Mono.just(new TestingAuthenticationToken(login.getName(), null, "ROLE_USER")))
                .run(context -> {
                    assertThat(ask(context, "bob", Services.PASSWORD)).isEqualTo("200 bob String");
                    assertThat(Directory.idOfBob(context)).isEqualTo("directory:bob");
                });
    }

    @Test
    void serviceWithNoAccounts_hasItsPluginsAskedByOneLine() {
        withoutAccounts
                .withUserConfiguration(AskingChain.class)
                .withPropertyValues("latchkey.plugins=directory")
                .run(context ->
                        assertThat(ask(context, "bob", Directory.BOBS_PASSWORD)).isEqualTo("200 bob Subject"));
    }

    private static String ask(ApplicationContext context, String name, String password) {
        var answer = ReactiveServices.client(context)
                .get()
                .uri("/who")
                .header("Authorization", basic(name, password))
                .header("X-Tenant", "emea")
                .exchange()
                .expectBody(String.class)
                .returnResult();
        return answer.getStatus().value() + " " + answer.getResponseBody();
    }

    @Configuration(proxyBeanMethods = false)
    static class AskingChain {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .authenticationManager(latchkey.passwords())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    @RestController
    static class Who {

        @GetMapping("/who")
        Mono<String> who(Authentication login) {
            return Mono.just(
                    login.getName() + " " + login.getPrincipal().getClass().getSimpleName());
        }
    }
}
