package dev.latchkey.auth.test;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.test.context.support.WithSecurityContextFactory;

/**
 * Creates the security context of {@link WithLatchkeySubject}, with the same authentication as after a plugin's
 * verdict.
 */
final class LatchkeySubjectContexts implements WithSecurityContextFactory<WithLatchkeySubject> {

    private InstantSource clock = InstantSource.system();

    /**
     * Not in the constructor: for a test without an application context, Spring Security creates this object itself.
     */
    @Autowired
    void setClock(@Qualifier(LatchkeyAutoConfiguration.CLOCK) ObjectProvider<InstantSource> clock) {
        clock.ifAvailable(ofTheContext -> this.clock = ofTheContext);
    }

    @Override
    public SecurityContext createSecurityContext(WithLatchkeySubject annotation) {
        Subject subject = Subject.of(annotation.value()).withAuthorities(annotation.authorities());
        for (SubjectClaim claim : annotation.claims()) {
            subject = subject.withClaim(claim.name(), valueOf(claim));
        }
        Factors factors =
                annotation.factors().length == 0 ? Factors.none() : Factors.of(clock.instant(), annotation.factors());
        return new SecurityContextImpl(LatchkeyAuthentication.ofOneRequest(subject, factors));
    }

    private static Object valueOf(SubjectClaim claim) {
        List<String> values = List.of(claim.value());
        return values.size() == 1 ? values.get(0) : values;
    }
}
