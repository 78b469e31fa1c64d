package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

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
    void finalMethod_wouldRunWithoutItsFields_soTheManagerIsLeftAlone() {
        WithFinalMethod manager = new WithFinalMethod();
        assertThat(processed(manager)).isSameAs(manager);
    }

    private Object processed(AuthenticationManager manager) {
        beans.registerSingleton("logins", new LimitedLogins(limits, WaitingThreads.atMost(1), CurrentRequest::source));
        beans.registerBeanDefinition("manager", new RootBeanDefinition(manager.getClass()));
        return new LoginPostProcessor(
                        beans,
                        beans.getBeanProvider(LimitedLogins.class),
                        noSteps(),
                        beans.getBeanProvider(SecurityContextHolderStrategy.class))
                .postProcessAfterInitialization(manager, "manager");
    }

    static SecondSteps noSteps() {
        DefaultListableBeanFactory empty = new DefaultListableBeanFactory();
        return new SecondSteps(empty.getBeanProvider(AuthChain.class), empty.getBeanProvider(LatchkeyProperties.class));
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
