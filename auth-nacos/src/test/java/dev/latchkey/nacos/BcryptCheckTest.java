package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

final class BcryptCheckTest {

    private static final PasswordEncoder BCRYPT = new BCryptPasswordEncoder(4);

    /** The hashes that were computed. */
    private final List<String> computed = new ArrayList<>();

    private final BcryptCheck check = new BcryptCheck(new PasswordEncoder() {
        @Override
        public boolean matches(CharSequence rawPassword, String encodedPassword) {
            computed.add(encodedPassword);
            return BCRYPT.matches(rawPassword, encodedPassword);
        }

        @Override
        public String encode(CharSequence rawPassword) {
            throw new UnsupportedOperationException();
        }
    });

    private final String stored = BCRYPT.encode("right");

    @Test
    void rightPassword_matches_andAWrongOneDoesNot() {
        assertThat(check.matches("right", stored)).isTrue();
        assertThat(check.matches("wrong", stored)).isFalse();
        assertThat(computed).containsExactly(stored, stored);
    }

    @Test
    void unknownUser_costsAHashOfTheCostThatUsersHave() {
        check.matches("right", stored);
        assertThat(check.matches("right", null)).isFalse();

        assertThat(computed).hasSize(2);
        assertThat(computed.get(1)).startsWith("$2a$04$").hasSize(60);
    }

    @Test
    void firstUnknownUser_costsWhatTheServersOwnHashesDo() {
        check.matches("any", null);

        assertThat(computed).singleElement().asString().startsWith("$2a$10$").hasSize(60);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain text",
                "{noop}right",
                "$2a$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234",
                "$2a$17$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234",
                "$2a$03$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234"
            })
    void storedTextThatMustNotBeComputed_isAnUnknownUser(String text) {
        check.matches("right", stored);

        assertThat(check.matches("right", text)).isFalse();
        assertThat(computed).hasSize(2);
        assertThat(computed.get(1)).startsWith("$2a$04$");
    }

    @Test
    void passwordOf72Characters_isCompared_andALongerOneNeverMatches() {
        String longest = "p".repeat(72);
        String hash = BCRYPT.encode(longest);

        assertThat(check.matches(longest, hash)).isTrue();
        assertThat(check.matches(longest + "p", hash)).isFalse();
        assertThat(computed).hasSize(2);
    }
}
