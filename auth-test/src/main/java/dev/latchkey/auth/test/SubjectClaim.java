package dev.latchkey.auth.test;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A text claim of the subject in {@link WithLatchkeySubject}. {@link MockMvcToken} and {@link WebTestClientToken} take claims of any type.
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SubjectClaim {

    /**
     * The claim's name.
     *
     * @return as in the subject and its tokens
     */
    String name();

    /**
     * The claim's value; several values are a list of texts.
     *
     * @return at least one text
     */
    String[] value();
}
