package dev.latchkey.auth.guard.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "127.1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.04",
                "1.2.3.4 ",
                " 1.2.3.4",
                "+1.2.3.4",
                "0x1.2.3.4",
                "1..3.4",
                "1.2.3.",
                "\u0661.2.3.4",
                "localhost",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                "12345::",
                "g::",
                "1:2:3:4:5:6:7:8::",
                "1:2:3:4::5:6:7:8",
                "::1.2.3",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "::1.2.3.4.5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "fe80::1%eth0",
                "[::1]",
                "::ffff:1.2.3.400",
                "::0001.2.3.4",
                "1:2:3:4:5:6:7:",
                ":1:2:3:4:5:6:7",
                "0000000000000000000000000000000000000000000000"
            })
    void textThatIsNoAddressIsEmpty(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "::, 0:0:0:0:0:0:0:0",
        "::1, 0:0:0:0:0:0:0:1",
        "1::, 1:0:0:0:0:0:0:0",
        "2001:DB8::a, 2001:db8:0:0:0:0:0:a",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
        "::ffff:1.2.3.4, 1.2.3.4",
        "::ffff:102:304, 1.2.3.4",
        "::1.2.3.4, 0:0:0:0:0:0:102:304",
        "::0.0.0.0, 0:0:0:0:0:0:0:0",
        "1:0:0:2:3:4:5:6, 1:0:0:2:3:4:5:6",
        "0000:0000:0000:0000:0000:ffff:255.255.255.255, 255.255.255.255",
        "64:ff9b::1.2.3.4, 1.2.3.4",
        "64:ff9b::102:304, 1.2.3.4",
        "64:ff9b::1:1.2.3.4, 64:ff9b:0:0:0:1:102:304",
        "64:ff9b:1::1.2.3.4, 64:ff9b:1:0:0:0:102:304"
    })
    void addressIsReadAndWritten(String text, String written) {
        assertThat(IpAddress.parse(text)).hasToString("Optional[" + written + "]");
    }

    @Test
    void randomAddressesAreReadAsTheJdkWritesThem() throws Exception {
        Random random = new Random(6);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[i % 2 == 0 ? 4 : 16];
            random.nextBytes(bytes);
            ByteBuffer words = ByteBuffer.wrap(bytes);
            IpAddress address = bytes.length == 4
                    ? IpAddress.ofV4(Integer.toUnsignedLong(words.getInt()))
                    : new IpAddress(IpAddress.V6_BITS, words.getLong(), words.getLong());
            assertThat(IpAddress.parse(InetAddress.getByAddress(bytes).getHostAddress()))
                    .contains(address);
        }
    }

    /** Both texts have one hash code, so both share a slot of the table. */
    @Test
    void addressesWhoseTextsHaveOneHash_areNotTakenForEachOther() {
        String one = "2001:db8:0:10a::1";
        String other = "2001:db8:0:11B::1";
        assertThat(one).hasSameHashCodeAs(other);
        TrustedProxies proxies = TrustedProxies.none();
        for (int i = 0; i < 3; i++) {
            assertThat(proxies.sourceOf(one, name -> List.of()).network()).isEqualTo("2001:db8:0:10a:0:0:0:0/64");
            assertThat(proxies.sourceOf(other, name -> List.of()).network()).isEqualTo("2001:db8:0:11b:0:0:0:0/64");
        }
    }

    @Test
    void source_knowsItsWholeAddress_andAnUnknownOneHasNone() {
        assertThat(ClientSource.of("2001:db8::7").orElseThrow().address()).hasValue("2001:db8:0:0:0:0:0:7");
        assertThat(ClientSource.of("192.0.2.1").orElseThrow().address()).hasValue("192.0.2.1");
        assertThat(ClientSource.UNKNOWN.address()).isEmpty();
    }

    @Test
    void sourceOfIpv6IsItsNetwork_andOfAMappedOrTranslatedAddressTheIpv4Address() {
        assertThat(ClientSource.of("2001:db8:1:2:3:4:5:6")).isEqualTo(ClientSource.of("2001:db8:1:2::"));
        assertThat(ClientSource.of("2001:db8:1:3::")).isNotEqualTo(ClientSource.of("2001:db8:1:2::"));
        assertThat(ClientSource.of("::ffff:192.0.2.1")).isEqualTo(ClientSource.of("192.0.2.1"));
        assertThat(ClientSource.of("64:ff9b::192.0.2.1")).isEqualTo(ClientSource.of("192.0.2.1"));
    }
}
