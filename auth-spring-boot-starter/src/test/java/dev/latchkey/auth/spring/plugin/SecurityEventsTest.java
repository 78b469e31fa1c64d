package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.StepsAsked;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.MDC;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.authentication.AccountExpiredException;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** What Boot's audit hears of logins that plugins decide, and that the log's context is left alone. */
class SecurityEventsTest {

    private static final Map<RejectionReason, Class<?>> BY_REASON = Map.of(
            RejectionReason.ACCOUNT_DISABLED, DisabledException.class,
            RejectionReason.ACCOUNT_LOCKED, LockedException.class,
            RejectionReason.ACCOUNT_EXPIRED, AccountExpiredException.class,
            RejectionReason.CREDENTIALS_EXPIRED, CredentialsExpiredException.class);

    private final WebApplicationContextRunner service = Actuators.web()
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
            .withBean(AuditEventRepository.class, InMemoryAuditEventRepository::new);

    @Test
    void loginsAndTokens_areInTheAudit() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            AuditEventRepository audit = context.getBean(AuditEventRepository.class);
            String token = Services.tokenFrom(login(mvc, Services.PASSWORD));
            assertThat(audit.find("alice", null, "AUTHENTICATION_SUCCESS")).hasSize(1);
            login(mvc, "wrong");
            assertThat(audit.find("alice", null, "AUTHENTICATION_FAILURE"))
                    .singleElement()
                    .satisfies(event ->
                            assertThat(event.getData()).containsEntry("type", BadCredentialsException.class.getName()));
            mvc.perform(get("/hello").header("Authorization", "Bearer " + token));
            assertThat(audit.find("alice", null, "AUTHENTICATION_SUCCESS")).hasSize(2);
            mvc.perform(get("/hello").header("Authorization", "Bearer " + token + "x"));
            assertThat(audit.find("", null, "AUTHENTICATION_FAILURE")).hasSize(1);
            assertThat(audit.find(null, null, null))
                    .extracting(AuditEvent::toString)
                    .noneMatch(event -> event.contains(Services.PASSWORD) || event.contains(token));
        });
    }

    @Test
    void publisherOfTheService_replacesTheEvents() {
        Heard heard = new Heard();
        service.withBean(AuthenticationEventPublisher.class, () -> heard).run(context -> {
            login(Services.mvc(context), "wrong");
            assertThat(heard.failures).singleElement().isInstanceOf(BadCredentialsException.class);
            assertThat(context.getBean(AuditEventRepository.class).find(null, null, null))
                    .isEmpty();
        });
    }

    @Test
    void contextOfTheLog_isAsItWas() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            MDC.clear();
            MDC.put("request", "42");
            try {
                String token = Services.tokenFrom(login(mvc, Services.PASSWORD));
                login(mvc, "wrong");
                mvc.perform(get("/hello").header("Authorization", "Bearer " + token));
                mvc.perform(get("/hello").header("Authorization", "Bearer x"));
                assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("request", "42"));
            } finally {
                MDC.clear();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(RejectionReason.class)
    void rejection_isWhatSpringSecurityCallsIt(RejectionReason reason) {
        Heard heard = new Heard();
        new SecurityEvents(heard)
                .on(new AuthEvent.Decided(
                        "users", PasswordCredentials.class, "alice", Rejected.because(reason), Duration.ZERO));
        assertThat(heard.failures)
                .singleElement()
                .isExactlyInstanceOf(BY_REASON.getOrDefault(reason, BadCredentialsException.class));
    }

    @Test
    void outagesAndFailures_areErrorsOfTheService_andFloodsAreNoEvents() {
        Heard heard = new Heard();
        SecurityEvents events = new SecurityEvents(heard);
        for (AuthUnavailableException.Kind kind : AuthUnavailableException.Kind.values()) {
            events.on(new AuthEvent.Unavailable("users", PasswordCredentials.class, "alice", kind, Duration.ZERO));
        }
        events.on(new AuthEvent.Failed("users", PasswordCredentials.class, "alice", Duration.ZERO));
        assertThat(heard.failures).hasSize(2).hasOnlyElementsOfType(AuthenticationServiceException.class);
    }

    @Test
    void success_hasTheSubjectAndItsFactors_unlessSpringSecuritysManagerPublishesTheLogin() {
        List<Authentication> heard = new ArrayList<>();
        SecurityEvents events = new SecurityEvents(new AuthenticationEventPublisher() {
            @Override
            public void publishAuthenticationSuccess(Authentication authentication) {
                heard.add(authentication);
            }

            @Override
            public void publishAuthenticationFailure(AuthenticationException failure, Authentication authentication) {
                heard.add(authentication);
            }
        });
        Factors factors = Factors.of(Instant.EPOCH, "pwd");
        events.on(decided(Authenticated.as(Subject.of("alice")).withFactors(factors)));
        assertThat(heard).containsExactly(new LatchkeyAuthentication(Subject.of("alice"), factors));
        CurrentLogin before =
                SecurityEvents.publishedByManager(CurrentLogin.here()).bind();
        try {
            events.on(decided(Authenticated.as(Subject.of("alice"))));
            events.on(decided(Rejected.because(RejectionReason.BAD_CREDENTIALS)));
            assertThat(heard).hasSize(1);
            events.on(new AuthEvent.Unavailable(
                    "users", PasswordCredentials.class, "alice", AuthUnavailableException.Kind.OUTAGE, Duration.ZERO));
            assertThat(heard).hasSize(2);
        } finally {
            before.bind();
        }
        assertThat(heard.get(1).getName()).isEqualTo("alice");
        assertThat(heard.get(1).getCredentials()).isNull();
    }

    @Test
    void loginThatNeedsAStep_isNoEvent_andIsNotEnoughForSpringSecurity() {
        Heard heard = new Heard();
        Challenged step = Challenged.by(Authenticated.as(Subject.of("alice")), "otp");
        new SecurityEvents(heard).on(decided(step));
        assertThat(heard.failures).isEmpty();
        assertThat(StepsAsked.isNotEnough(SecurityEvents.exceptionFor(step))).isTrue();
        assertThat(SecurityEvents.exceptionFor(Rejected.because(RejectionReason.REVOKED)))
                .isExactlyInstanceOf(BadCredentialsException.class);
    }

    private static AuthEvent decided(Verdict verdict) {
        return new AuthEvent.Decided("users", PasswordCredentials.class, "alice", verdict, Duration.ZERO);
    }

    private static ResultActions login(MockMvc mvc, String password) throws Exception {
        return mvc.perform(post("/auth/token")
                .contentType("application/json")
                .content("{\"username\":\"alice\",\"password\":\"" + password + "\"}"));
    }

    private static final class Heard implements AuthenticationEventPublisher {

        private final List<AuthenticationException> failures = new ArrayList<>();

        @Override
        public void publishAuthenticationSuccess(Authentication authentication) {
            throw new AssertionError("No success was meant");
        }

        @Override
        public void publishAuthenticationFailure(AuthenticationException failure, Authentication authentication) {
            failures.add(failure);
        }
    }
}
