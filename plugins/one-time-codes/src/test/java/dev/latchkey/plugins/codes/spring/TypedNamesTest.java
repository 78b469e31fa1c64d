package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.plugins.codes.OneTimeCodes;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import reactor.core.publisher.Mono;

/** A user store that ignores case and returns the typed name: a code could be avoided, so nobody enrols. */
@ExtendWith(OutputCaptureExtension.class)
class TypedNamesTest {

    private static final String ENDPOINTS = "latchkey.plugin.one-time-codes.endpoints-enabled=true";

    private static final String HASH = new BCryptPasswordEncoder(4).encode(Services.PASSWORD);

    private static UserDetails found(String typed) {
        if (!typed.toLowerCase(Locale.ROOT).equals("ada")) {
            throw new UsernameNotFoundException(typed);
        }
        return User.withUsername(typed).password(HASH).authorities("ROLE_USER").build();
    }

    private static Consumer<ApplicationContext> refuses(Stack stack, CapturedOutput output) {
        return context -> {
            Client client = stack.client(context);
            String token = client.login("ada").member("access_token");
            Client.Reply begun =
                    client.send("POST", "/auth/codes", token, "{\"password\":\"" + Services.PASSWORD + "\"}");
            assertThat(begun.status()).isEqualTo(500);
            assertThat(begun.body()).doesNotContain("secret");
            assertThat(output.getAll()).contains("Answer with the stored name for each spelling");
            assertThat(context.getBean(OneTimeCodes.class).isEnrolled("ada")).isFalse();
            assertThat(client.login("ADA").status()).isEqualTo(200);
        };
    }

    @Test
    void enrolment_isRefused_andTheLogNamesTheStore(CapturedOutput output) {
        Services.shared(Services.servlet(), ENDPOINTS)
                .withBean("typed", UserDetailsService.class, () -> TypedNamesTest::found, bean -> bean.setPrimary(true))
                .run(context -> refuses(Stack.SERVLET, output).accept(context));
    }

    @Test
    void enrolment_isRefused_onWebFluxToo(CapturedOutput output) {
        Services.shared(Services.webFlux(), ENDPOINTS)
                .withBean(
                        "typed",
                        ReactiveUserDetailsService.class,
                        () -> name -> Mono.fromCallable(() -> found(name)),
                        bean -> bean.setPrimary(true))
                .run(context -> refuses(Stack.WEBFLUX, output).accept(context));
    }
}
