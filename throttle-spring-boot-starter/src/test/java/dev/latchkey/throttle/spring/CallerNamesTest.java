package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Subject;
import java.security.Principal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallerNamesTest {

    private static final Principal DORA = () -> "dora";

    private static String nameBeside(Subject subject, Principal caller) {
        return new CallerNames(() -> Optional.of(asked -> Optional.of(subject))).of(caller);
    }

    @Test
    void withoutAuthentication_theKindOfTheLoginIsPartOfTheName() {
        CallerNames names = new CallerNames(Optional::empty);
        Principal atProvider = new Principal() {
            @Override
            public String getName() {
                return "dora";
            }
        };
        assertThat(names.of(DORA)).isEqualTo(names.of(DORA)).isNotEqualTo(names.of(atProvider));
        assertThat(names.of(null)).isNull();
    }

    @Test
    void callerBesideAuthentication_hasTheIdOfItsSubject() {
        assertThat(nameBeside(Subject.of("oauth2:hub:dora"), DORA)).isEqualTo("oauth2:hub:dora");
        assertThat(new CallerNames(() -> Optional.of(asked -> Optional.empty())).of(null))
                .isNull();
    }

    @Test
    void accountThatActs_spendsNoSubjectsRate() {
        Subject acting = Subject.of("dora").withClaim(Subject.ACTOR_CLAIM, "support");
        String name = nameBeside(acting, DORA);
        assertThat(Subject.isId(name)).isFalse();
        assertThat(nameBeside(Subject.of("ada").withClaim(Subject.ACTOR_CLAIM, "support"), DORA))
                .isEqualTo(name);
    }

    @Test
    void callerWithoutAnId_spendsNoSubjectsRate() {
        CallerNames names = new CallerNames(() -> Optional.of(asked -> Optional.empty()));
        assertThat(names.of(DORA))
                .isNotNull()
                .satisfies(name -> assertThat(Subject.isId(name)).isFalse());
    }
}
