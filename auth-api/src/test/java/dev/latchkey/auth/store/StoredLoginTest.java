package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredLoginTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void lastUse_isTheStart_andThenTheLastReplacement() {
        assertThat(login(null).lastUsedAt()).isEqualTo(START);
        assertThat(login(new StoredLogin.Replaced("1", "seed", START.plusSeconds(9)))
                        .lastUsedAt())
                .isEqualTo(START.plusSeconds(9));
    }

    @Test
    void device_isUnknownUnlessSaid() {
        StoredLogin.Device phone = new StoredLogin.Device("phone", "192.0.2.7");
        assertThat(login(null).device()).isEqualTo(StoredLogin.Device.UNKNOWN);
        assertThat(login(null).withDevice(phone).device()).isEqualTo(phone);
        assertThat(login(null).withDevice(phone).withDevice(StoredLogin.Device.UNKNOWN))
                .isEqualTo(login(null));
    }

    @Test
    void deviceOfTheLongestName_isTaken_andALongerOneRefused() {
        String longest = "n".repeat(StoredLogin.Device.LONGEST);
        assertThat(new StoredLogin.Device(longest, longest).name()).isEqualTo(longest);
        assertThatIllegalArgumentException().isThrownBy(() -> new StoredLogin.Device(longest + "n", null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoredLogin.Device(null, longest + "n"))
                .withMessageContaining("1 to 200 characters")
                .withMessageNotContaining("nn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "\0", "a\u007f", "\u0085", "\ud83d", "a\udcf1"})
    void deviceThatIsNoText_isRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new StoredLogin.Device(name, null));
        assertThatIllegalArgumentException().isThrownBy(() -> new StoredLogin.Device(null, name));
    }

    private static StoredLogin login(StoredLogin.Replaced replaced) {
        Instant end = START.plusSeconds(60);
        return new StoredLogin("f", "users", "ada", "1", "", Set.of(), START, end, end, replaced);
    }
}
