package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.RequestContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stored form of a remembered device, and the time without a code. */
class KnownDeviceTest {

    private static final Instant SINCE = Instant.parse("2026-11-22T10:00:00Z");
    private static final Duration MONTH = Duration.ofDays(30);
    private static final KnownDevice DEVICE = new KnownDevice("1f", "Browser/1.0 (Phone)", SINCE, SINCE.plus(MONTH));

    @Test
    void storedText_isReadAsTheSameDevice() {
        assertThat(KnownDevice.parse(DEVICE.text())).contains(DEVICE);
        KnownDevice nameless = new KnownDevice("1f", "", SINCE, SINCE.plus(MONTH));
        assertThat(KnownDevice.parse(nameless.text())).contains(nameless);
        for (String other :
                List.of("", "1f", "1f 1 2", "1f 1 x name", "1f x 2 name", "1f 1 " + Long.MAX_VALUE + " n")) {
            assertThat(KnownDevice.parse(other)).as(other).isEmpty();
        }
    }

    @Test
    void device_needsNoCode_untilItsTimeIsOver() {
        Instant end = SINCE.plus(MONTH);
        assertThat(DEVICE.isGoodAt(SINCE, MONTH)).isTrue();
        assertThat(DEVICE.isGoodAt(end.minusMillis(1), MONTH.multipliedBy(2))).isTrue();
        assertThat(DEVICE.isGoodAt(end, MONTH.multipliedBy(2))).isFalse();
        assertThat(DEVICE.isGoodAt(SINCE.plusSeconds(59), Duration.ofMinutes(1)))
                .isTrue();
        assertThat(DEVICE.isGoodAt(SINCE.plusSeconds(60), Duration.ofMinutes(1)))
                .isFalse();
    }

    @Test
    void clockOfAnotherNode_mayBeFiveMinutesBehind_andNoMore() {
        assertThat(DEVICE.isGoodAt(SINCE.minus(Duration.ofMinutes(5)), MONTH)).isTrue();
        assertThat(DEVICE.isGoodAt(SINCE.minus(Duration.ofMinutes(5)).minusMillis(1), MONTH))
                .isFalse();
    }

    @Test
    void name_isThatOfTheClient_withoutWhatCouldHarmAPage() {
        RequestContext context = RequestContext.none().withHeader("User-Agent", " <b>Browser/1.0</b>, \"Phone\" ");
        assertThat(KnownDevice.nameOf(context)).isEqualTo("bBrowser/1.0/b Phone");
        assertThat(KnownDevice.nameOf(RequestContext.none())).isEmpty();
    }
}
