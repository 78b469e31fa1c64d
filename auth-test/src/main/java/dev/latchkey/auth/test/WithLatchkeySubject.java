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
 * Runs a test as this subject. Spring Security's context has the same content as after an accepted token of the
 * subject.
 *
 * <p>For a method, a class, or a custom annotation. There is no token, and no filter reads one: for a real token, use
 * {@link MockMvcToken} or {@link WebTestClientToken}.
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
     * @return a valid subject id; {@code user} by default
     */
    String value() default "user";

    /**
     * The authorities, in the form of Spring Security: {@code ROLE_ADMIN}, {@code SCOPE_read}.
     *
     * @return all authorities of the subject; none by default
     */
    String[] authorities() default {};

    /**
     * The subject's attributes, as in its tokens.
     *
     * @return claims with different names; none by default
     */
    SubjectClaim[] claims() default {};

    /**
     * The subject's login methods, by their names in RFC 8176: {@code {"pwd", "otp"}}. Their time is the time of the
     * test.
     *
     * @return none by default
     */
    String[] factors() default {};

    /**
     * The set-up of the context: before or after {@code @BeforeEach} methods.
     *
     * @return before them by default
     */
    @AliasFor(annotation = WithSecurityContext.class)
    TestExecutionEvent setupBefore() default TestExecutionEvent.TEST_METHOD;
}
