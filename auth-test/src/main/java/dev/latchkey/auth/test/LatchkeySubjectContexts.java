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
        return new SecurityContextImpl(new LatchkeyAuthentication(subject, factors));
    }

    private static Object valueOf(SubjectClaim claim) {
        List<String> values = List.of(claim.value());
        Class<?> type = claim.type();
        if (values.size() == 1) {
            return type == String.class ? values.get(0) : parsed(claim, values.get(0));
        }
        if (type != String.class) {
            throw mistaken(claim, "has several values, which are texts, and not of " + type.getSimpleName());
        }
        return values;
    }

    private static Object parsed(SubjectClaim claim, String text) {
        Class<?> type = claim.type();
        try {
            if (type == Long.class) {
                return Long.valueOf(text);
            }
            if (type == Double.class) {
                return Double.valueOf(text);
            }
        } catch (NumberFormatException e) {
            throw mistaken(claim, "is no " + type.getSimpleName());
        }
        if (type != Boolean.class) {
            throw mistaken(claim, "can be a String, a Long, a Double or a Boolean, and not " + type.getSimpleName());
        }
        // Other texts would be read as false, and the test would use a wrong subject.
        if (!text.equals("true") && !text.equals("false")) {
            throw mistaken(claim, "is neither true nor false");
        }
        return text.equals("true");
    }

    private static IllegalArgumentException mistaken(SubjectClaim claim, String why) {
        return new IllegalArgumentException("Claim '" + claim.name() + "' " + why);
    }
}
