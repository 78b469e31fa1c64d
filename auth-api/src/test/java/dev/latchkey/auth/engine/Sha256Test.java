package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Sha256Test {

    /** FIPS 180-4, the example of one block. */
    private static final String OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void abc_isTheStandardsExample() {
        assertThat(Sha256.of(ascii("abc"))).isEqualTo(HexFormat.of().parseHex(OF_ABC));
    }

    @Test
    void parts_haveTheDigestOfTheirConcatenation() {
        assertThat(Sha256.of(ascii("a"), ascii(""), ascii("bc")))
                .isEqualTo(HexFormat.of().parseHex(OF_ABC));
    }

    @Test
    void hmac_isTheExampleOfRfc4231() {
        byte[] mac = Sha256.startHmac(ascii("Jefe")).doFinal(ascii("what do ya want for nothing?"));
        assertThat(mac)
                .isEqualTo(HexFormat.of().parseHex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    }

    @Test
    void emptyKey_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> Sha256.startHmac(new byte[0]));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
