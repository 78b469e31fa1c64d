package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.RequestContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The text of a device's token and the row of a device, at the bounds of both. */
class DeviceTokenTest {

    private static final String ID = "00112233445566778899aabbccddeeff";
    private static final byte[] SEAL = new byte[32];
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private static String textOf(String account) {
        return DeviceToken.of(ID, SEAL, account).text().withText(CharSequence::toString);
    }

    private static RequestContext sending(String... fields) {
        return RequestContext.of(
                name -> name.equalsIgnoreCase("Authorization") ? List.of(fields) : List.of(), Optional::empty);
    }

    @Test
    void token_isReadAsItWasWritten() {
        DeviceToken read = DeviceToken.parse(textOf("ada")).orElseThrow();
        assertThat(read.id()).isEqualTo(ID);
        assertThat(read.owner()).isEqualTo("ada");
        assertThat(read.hasSeal(SEAL)).isTrue();
        byte[] other = SEAL.clone();
        other[31] = 1;
        assertThat(read.hasSeal(other)).isFalse();
        assertThat(read).hasToString("DeviceToken[****]");
    }

    @Test
    void seal_isCopied() {
        byte[] seal = new byte[32];
        DeviceToken token = DeviceToken.of(ID, seal, "ada");
        seal[0] = 1;
        assertThat(token.hasSeal(SEAL)).isTrue();
    }

    @Test
    void longestAccount_has204Bytes_andIsRead() {
        String longest = "a".repeat(204);
        assertThat(DeviceToken.canName(longest)).isTrue();
        assertThat(DeviceToken.parse(textOf(longest)).orElseThrow().owner()).isEqualTo(longest);
        assertThat(DeviceToken.canName(longest + "a")).isFalse();
        assertThat(DeviceToken.canName("é".repeat(103))).isFalse();
        assertThat(DeviceToken.canName("a")).isTrue();
        assertThat(DeviceToken.canName("")).isFalse();
        assertThat(DeviceToken.parse(textOf("a".repeat(206)))).isEmpty();
    }

    @Test
    void shortestAccount_hasOneByte() {
        assertThat(DeviceToken.parse(textOf("a"))).isPresent();
        assertThat(DeviceToken.parse(textOf(""))).isEmpty();
        assertThat(DeviceToken.parse(textOf("ada").substring(0, textOf("ada").length() - 1)))
                .isEmpty();
        assertThat(DeviceToken.parse("x" + textOf("ada"))).isEmpty();
        assertThat(DeviceToken.parse(textOf("ada").replace("00112233", "0011223x")))
                .isEmpty();
    }

    @Test
    void tokenThatNamesNoAccount_isNone() {
        assertThat(DeviceToken.parse(textOf("\0"))).isEmpty();
        assertThat(DeviceToken.parse(textOf("a\0b"))).isEmpty();
        assertThat(DeviceToken.parse(textOf("ada\n"))).isEmpty();
    }

    @Test
    void token_isReadInThePlaceOfAnAccessToken() {
        String token = textOf("ada");
        assertThat(DeviceToken.sentAsBearer(sending("Bearer " + token))).isPresent();
        assertThat(DeviceToken.sentAsBearer(sending("bEARER " + token))).isPresent();
        assertThat(DeviceToken.sentAsBearer(sending("Basic " + token))).isEmpty();
        assertThat(DeviceToken.sentAsBearer(sending())).isEmpty();
        assertThat(DeviceToken.sentAsBearer(sending("Bearer " + token, "Bearer " + token)))
                .isEmpty();
    }

    @Test
    void device_isReadAsItWasStored() {
        KnownDevice device = new KnownDevice("id", "a browser of 1", NOON, NOON.plusSeconds(60));
        assertThat(KnownDevice.parse(device.text())).contains(device);
        KnownDevice nameless = new KnownDevice("id", "", NOON, NOON.plusSeconds(60));
        assertThat(KnownDevice.parse(nameless.text())).contains(nameless);
        for (String other : List.of("", "id", "id 1 2", "id x 2 name", "id 1 x name", "id 1 99999999999999999 name")) {
            assertThat(KnownDevice.parse(other)).as(other).isEmpty();
        }
    }

    @Test
    void device_isGoodBeforeItsEnd_andForTheLifetimeOfToday() {
        KnownDevice device = new KnownDevice("id", "", NOON, NOON.plus(Duration.ofDays(2)));
        Map<Duration, Boolean> expected = Map.of(
                Duration.ZERO,
                true,
                Duration.ofDays(1).minusSeconds(1),
                true,
                Duration.ofDays(1),
                false,
                Duration.ofMinutes(-5),
                true,
                Duration.ofMinutes(-5).minusSeconds(1),
                false);
        expected.forEach((age, isGood) -> assertThat(device.isGoodAt(NOON.plus(age), Duration.ofDays(1)))
                .as(age.toString())
                .isEqualTo(isGood));
        assertThat(device.isGoodAt(NOON.plus(Duration.ofDays(2)).minusSeconds(1), Duration.ofDays(9)))
                .isTrue();
        assertThat(device.isGoodAt(NOON.plus(Duration.ofDays(2)), Duration.ofDays(9)))
                .isFalse();
    }

    @Test
    void nameOfADevice_isShortAndHarmless() {
        String agent = "<b>" + "x".repeat(200);
        RequestContext context = RequestContext.of(
                name -> name.equalsIgnoreCase("User-Agent") ? List.of(agent, "another") : List.of(), Optional::empty);
        assertThat(KnownDevice.nameOf(context)).isEqualTo("b" + "x".repeat(119));
        assertThat(KnownDevice.nameOf(sending())).isEmpty();
    }
}
