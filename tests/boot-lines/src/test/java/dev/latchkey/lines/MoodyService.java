package dev.latchkey.lines;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service for {@link ClientIT}. The plugin can ask for a second step, or be down. */
final class MoodyService {

    static final String PASSWORD = "correct-horse-battery";
    static final String KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";
    static final String OTHER_KEY = "EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=";

    /** The allowed wrong passwords before a 429. A first step without the second counts as a wrong password. */
    static final int GUESSES = 5;

    /** A login with this name finds the plugin down for this time. */
    static final String UNLUCKY = "unlucky";

    static final Duration OUTAGE = Duration.ofSeconds(55);

    private static final Map<String, Object> SETTINGS = Map.ofEntries(
            Map.entry("server.port", "0"),
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("latchkey.login.enabled", "true"),
            Map.entry("latchkey.login.refresh.enabled", "true"),
            Map.entry("latchkey.guard.max-wait", "60s"),
            Map.entry("latchkey.guard.refusals.delay", "0s"),
            Map.entry("latchkey.guard.trusted-proxies", "127.0.0.0/8"),
            Map.entry("latchkey.guard.limits.account-and-source[0].tokens", String.valueOf(GUESSES)),
            Map.entry("latchkey.guard.limits.account-and-source[0].per", "1d"),
            Map.entry("spring.security.user.name", "alice"),
            Map.entry("spring.security.user.password", "{bcrypt}" + new BCryptPasswordEncoder(4).encode(PASSWORD)));

    private MoodyService() {}

    static ConfigurableApplicationContext start(WebApplicationType type, String... arguments) {
        SpringApplication application = new SpringApplication(Service.class);
        application.setWebApplicationType(type);
        application.setDefaultProperties(SETTINGS);
        return application.run(arguments);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Hello.class, Mood.class})
    static class Service {}

    @RestController
    public static class Hello {

        @GetMapping("/hello")
        String hello(Authentication authentication) {
            return "Hello " + authentication.getName();
        }
    }

    /** A plugin that decides about no login, before the plugin of the accounts. */
    @Order(-1)
    static final class Mood implements LoginSource<PasswordCredentials>, LoginStep {

        private volatile boolean wantsSecondStep;

        void wantsSecondStep(boolean wants) {
            wantsSecondStep = wants;
        }

        @Override
        public String name() {
            return "mood";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            if (credentials.username().equals(UNLUCKY)) {
                throw AuthUnavailableException.overload("The directory is down", OUTAGE);
            }
            return Decision.abstained();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return wantsSecondStep ? Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE)) : Optional.empty();
        }
    }
}
