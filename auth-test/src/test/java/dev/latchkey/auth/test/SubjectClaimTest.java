package dev.latchkey.auth.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What an annotation says and cannot mean is a mistake of the test, and not another claim. */
class SubjectClaimTest {

    @Test
    void textThatIsNoBoolean_isRefused() {
        @WithLatchkeySubject(claims = @SubjectClaim(name = "guest", value = "yes", type = Boolean.class))
        final class Mistaken {}
        requireRefused(Mistaken.class, "'guest'");
    }

    @Test
    void textThatIsNoNumber_isRefused() {
        @WithLatchkeySubject(claims = @SubjectClaim(name = "level", value = "3 ", type = Long.class))
        final class Mistaken {}
        requireRefused(Mistaken.class, "'level'");
    }

    @Test
    void severalValuesOfAnotherTypeThanText_areRefused() {
        @WithLatchkeySubject(
                claims =
                        @SubjectClaim(
                                name = "levels",
                                value = {"3", "4"},
                                type = Long.class))
        final class Mistaken {}
        requireRefused(Mistaken.class, "'levels'");
    }

    private static void requireRefused(Class<?> mistaken, String name) {
        WithLatchkeySubject annotation = mistaken.getAnnotation(WithLatchkeySubject.class);
        assertThatThrownBy(() -> new LatchkeySubjectContexts().createSecurityContext(annotation))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }
}
