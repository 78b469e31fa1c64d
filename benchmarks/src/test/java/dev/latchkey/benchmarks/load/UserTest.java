package dev.latchkey.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UserTest {

    private final User user = new User(0);

    @Test
    void tokenInSeveralPieces_isReceivedWhole() {
        user.receive("{\"acc");
        user.receive("ess_token\":\"first");
        assertThat(user.token()).isEmpty();
        user.receive("-second\",\"expires_in\":1}");
        assertThat(user.token()).isEqualTo("first-second");
    }

    @Test
    void nextAccount_hasNoTokenAndNoPieceOfTheLast() {
        user.receive("{\"access_token\":\"first\"}");
        user.receive("{\"access_token\":\"sec");
        user.become("user-0-0");
        assertThat(user.token()).isEmpty();
        user.receive("ond\"}");
        assertThat(user.token()).isEmpty();
    }
}
