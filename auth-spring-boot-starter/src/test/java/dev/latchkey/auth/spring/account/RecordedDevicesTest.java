package dev.latchkey.auth.spring.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.store.StoredLogin.Device;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordedDevicesTest {

    private static final RequestContext REQUEST =
            RequestContext.from("2001:db8::7").withHeader("User-Agent", "curl/8");
    private static final LoginDevices USER_AGENTS =
            request -> request.header("User-Agent").stream().findFirst();

    @Test
    void nothing_isRecordedUnlessItIsAskedFor() {
        assertThat(new RecordedDevices(null, false).of(REQUEST)).isEqualTo(Device.UNKNOWN);
        assertThat(new RecordedDevices(USER_AGENTS, false).of(REQUEST)).isEqualTo(new Device("curl/8", null));
        assertThat(new RecordedDevices(null, true).of(REQUEST)).isEqualTo(new Device(null, "2001:db8::7"));
    }

    @Test
    void unknownDevice_isNotRecorded() {
        assertThat(new RecordedDevices(USER_AGENTS, true).of(RequestContext.none()))
                .isEqualTo(Device.UNKNOWN);
        assertThat(named("")).isNull();
        assertThat(named(" \t ")).isNull();
    }

    @Test
    void longName_isCut_andNoCharacterInTwo() {
        assertThat(named("n".repeat(200))).isEqualTo("n".repeat(200));
        assertThat(named("n".repeat(10_000))).isEqualTo("n".repeat(200));
        assertThat(named("\uD83D\uDCF1".repeat(300))).isEqualTo("\uD83D\uDCF1".repeat(100));
        assertThat(named("n" + "\uD83D\uDCF1".repeat(300))).isEqualTo("n" + "\uD83D\uDCF1".repeat(99));
    }

    @Test
    void invalidText_isReplaced() {
        assertThat(named("a\r\nb\0c\u0085d")).isEqualTo("a??b?c?d");
        assertThat(named("a\uD83Db")).isEqualTo("a?b");
        assertThat(named("\uDCF1")).isEqualTo("?");
    }

    private static String named(String name) {
        return new RecordedDevices(request -> Optional.of(name), false)
                .of(REQUEST)
                .name();
    }
}
