package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.http.StepsAsked;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.core.context.SecurityContextImpl;

/** Managers declared by class keep their class, and are limited if a subclass is possible. */
class ManagersByClassTest {

    private final GuardTime time = GuardTime.start();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @AfterEach
    void stop() {
        time.close();
    }

    @Test
    void otherMethodsOfTheName_areLeftAlone_andTheManagersIsLimited() {
        Overloaded manager = (Overloaded) processed(new Overloaded());
        assertThat(manager.authenticate("acme", "ann")).isEqualTo("acme/ann");
        assertThat(manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated("ann", "right"))
                        .getName())
                .isEqualTo("ann");
        assertThat(limits.stats().admitted()).isEqualTo(1);
    }

    @Test
    void manager_isReplacedOnce() {
        AuthenticationManager decorated = (AuthenticationManager) processed(new Overloaded());
        assertThat(LoginPostProcessor.isDecorated(decorated)).isTrue();
        assertThat(LoginPostProcessor.isDecorated(new Overloaded())).isFalse();
    }

    @Test
    void finalMethod_wouldRunWithoutItsFields_soTheManagerIsLeftAlone() {
        WithFinalMethod manager = new WithFinalMethod();
        assertThat(processed(manager)).isSameAs(manager);
    }

    @Test
    void provedStepOfThePresentLogin_isFoundByTheStrategyOfTheService() {
        StaticListableBeanFactory plugins =
                new StaticListableBeanFactory(Map.of("plugins", AuthChain.of(new StepOfAlice())));
        MissingSteps steps = new MissingSteps(plugins.getBeanProvider(AuthChain.class));
        Authentication alice = UsernamePasswordAuthenticationToken.authenticated("alice", null, List.of());
        AuthenticationManager manager = new LoginPostProcessor(
                        beans,
                        beans.getBeanProvider(LoginLimitGate.class),
                        steps,
                        beans.getBeanProvider(SecurityContextHolderStrategy.class))
                .around(request -> alice);
        Authentication given = UsernamePasswordAuthenticationToken.unauthenticated("alice", "right");
        assertThatThrownBy(() -> manager.authenticate(given))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        beans.registerSingleton(
                "holder",
                new PresentLoginOf(UsernamePasswordAuthenticationToken.authenticated(
                        "alice",
                        null,
                        AuthorityUtils.createAuthorityList(FactorAuthorities.nameOf(Factors.ONE_TIME_CODE)))));
        assertThat(manager.authenticate(given)).isSameAs(alice);
    }

    /** A strategy that knows a single login. */
    private record PresentLoginOf(Authentication login) implements SecurityContextHolderStrategy {

        @Override
        public SecurityContext getContext() {
            return new SecurityContextImpl(login);
        }

        @Override
        public void setContext(SecurityContext context) {
            throw new AssertionError("A decision stores no login");
        }

        @Override
        public void clearContext() {
            throw new AssertionError("A decision removes no login");
        }

        @Override
        public SecurityContext createEmptyContext() {
            return new SecurityContextImpl();
        }
    }

    private Object processed(AuthenticationManager manager) {
        beans.registerSingleton("logins", new LoginLimitGate(limits, WaitingThreads.atMost(1), CurrentRequest::source));
        beans.registerBeanDefinition("manager", new RootBeanDefinition(manager.getClass()));
        return new LoginPostProcessor(
                        beans,
                        beans.getBeanProvider(LoginLimitGate.class),
                        noSteps(),
                        beans.getBeanProvider(SecurityContextHolderStrategy.class))
                .postProcessAfterInitialization(manager, "manager");
    }

    static MissingSteps noSteps() {
        DefaultListableBeanFactory empty = new DefaultListableBeanFactory();
        return new MissingSteps(empty.getBeanProvider(AuthChain.class));
    }

    static class Overloaded implements AuthenticationManager {

        @Override
        public Authentication authenticate(Authentication request) {
            return UsernamePasswordAuthenticationToken.authenticated(request.getName(), null, java.util.List.of());
        }

        public String authenticate(String tenant, String name) {
            return tenant + "/" + name;
        }
    }

    static class WithFinalMethod implements AuthenticationManager {

        @Override
        public final Authentication authenticate(Authentication request) {
            return UsernamePasswordAuthenticationToken.authenticated(request.getName(), null, java.util.List.of());
        }
    }
}
