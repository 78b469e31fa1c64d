package dev.latchkey.auth.test;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A claim of the subject in {@link WithLatchkeySubject}. */
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
     * @return at least one text, each readable as the type
     */
    String[] value();

    /**
     * The value's type: {@code String}, {@code Long}, {@code Double} or {@code Boolean} with {@code true} or
     * {@code false}.
     *
     * @return one of these four types
     */
    Class<?> type() default String.class;
}
