package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Subject;
import java.security.Principal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallerNamesTest {

    private static final Principal DORA = () -> "dora";

    @Test
    void callerWithoutNamesOfSubjects_hasItsOwnName() {
        CallerNames names = new CallerNames(() -> null);
        assertThat(names.of(DORA)).isEqualTo("dora");
        assertThat(names.of(null)).isNull();
    }

    @Test
    void callerBesideAuthentication_hasTheIdOfItsSubject() {
        CallerNames names = new CallerNames(() -> caller -> Optional.of(Subject.of("oauth2:hub:dora")));
        assertThat(names.of(DORA)).isEqualTo("oauth2:hub:dora");
        assertThat(names.of(null)).isNull();
    }

    @Test
    void accountThatActs_spendsItsOwnRate() {
        Subject acting = Subject.of("dora").withClaim(Subject.ACTOR_CLAIM, "support");
        assertThat(new CallerNames(() -> caller -> Optional.of(acting)).of(DORA))
                .isEqualTo("support");
        Subject unnamed = acting.withClaim(Subject.ACTOR_CLAIM, "");
        assertThat(new CallerNames(() -> caller -> Optional.of(unnamed)).of(DORA))
                .isEqualTo("dora");
    }

    @Test
    void callerWithoutAnId_spendsNoSubjectsRate() {
        CallerNames names = new CallerNames(() -> caller -> Optional.empty());
        assertThat(names.of(DORA))
                .isNotNull()
                .satisfies(name -> assertThat(Subject.isId(name)).isFalse());
    }
}
