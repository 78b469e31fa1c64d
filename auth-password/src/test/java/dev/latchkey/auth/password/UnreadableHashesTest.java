package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testsupport.LogLines;
import org.junit.jupiter.api.Test;

class UnreadableHashesTest {

    @Test
    void readableHash_andNoHash_areNoWarning() {
        PasswordEncoders encoders = PasswordEncoders.writingWithoutBouncyCastle(Cheap.bcrypt());
        try (LogLines log = LogLines.of(PasswordEncoders.class)) {
            assertThat(encoders.matches("wrong", encoders.encode("right"))).isFalse();
            assertThat(encoders.matches("wrong", "")).isFalse();
            assertThat(encoders.matches("wrong", null)).isFalse();
            assertThat(log.all()).isEmpty();
        }
    }

    @Test
    void reason_isSaidOnce_andTheLogStaysBounded() {
        UnreadableHashes unreadable = new UnreadableHashes();
        try (LogLines log = LogLines.of(PasswordEncoders.class)) {
            for (int i = 0; i < 40; i++) {
                unreadable.warn("reason " + i / 2);
            }
            assertThat(log.all())
                    .hasSize(10)
                    .startsWith("WARNING: A stored password hash matches no password: reason 0")
                    .doesNotHaveDuplicates();
        }
    }
}
