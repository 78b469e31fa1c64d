package dev.latchkey.auth.test;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A claim of the subject that {@link WithLatchkeySubject} names. */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SubjectClaim {

    /**
     * Its name.
     *
     * @return as the subject and its tokens have it
     */
    String name();

    /**
     * Its value; several are a list of texts.
     *
     * @return one text at least, each of which can be read as the type
     */
    String[] value();

    /**
     * What the value is: {@code String}, {@code Long}, {@code Double} or {@code Boolean}, which is {@code true} or {@code false}.
     *
     * @return one of these four
     */
    Class<?> type() default String.class;
}
