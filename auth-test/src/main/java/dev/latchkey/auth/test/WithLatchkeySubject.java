package dev.latchkey.auth.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;
import org.springframework.security.test.context.support.TestExecutionEvent;
import org.springframework.security.test.context.support.WithSecurityContext;

/**
 * Runs a test as this subject: Spring Security's context holds what it would hold after a token of the subject had been accepted.
 *
 * <p>On a method, on a class, or on an annotation of one's own. No token is made and no filter that reads one is passed: {@link MockMvcToken}
 * and {@link WebTestClientToken} are for that.
 *
 * <pre>{@code
 * @Test
 * @WithLatchkeySubject(value = "ada", authorities = "ROLE_ADMIN", claims = @SubjectClaim(name = "team", value = "engines"))
 * void adminOfATeam_seesItsAccounts() { … }
 * }</pre>
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@WithSecurityContext(factory = LatchkeySubjectContexts.class)
public @interface WithLatchkeySubject {

    /**
     * The subject's id.
     *
     * @return an id that a subject may have; {@code user} unless set
     */
    String value() default "user";

    /**
     * As Spring Security writes them: {@code ROLE_ADMIN}, {@code SCOPE_read}.
     *
     * @return the only ones that it has; none unless set
     */
    String[] authorities() default {};

    /**
     * Its attributes, as they are in its tokens.
     *
     * @return each of a name of its own; none unless set
     */
    SubjectClaim[] claims() default {};

    /**
     * How it proved who it is, by the names of RFC 8176: {@code {"pwd", "otp"}}. As of the time of the test.
     *
     * @return none unless set
     */
    String[] factors() default {};

    /**
     * When the context is set up: before {@code @BeforeEach} methods, or after them.
     *
     * @return before them unless set
     */
    @AliasFor(annotation = WithSecurityContext.class)
    TestExecutionEvent setupBefore() default TestExecutionEvent.TEST_METHOD;
}
