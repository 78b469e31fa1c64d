package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.LuminanceSource;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user is shown. */
class EnrolmentTest {

    private static final int PIXELS = 4;
    private static final CodeSecret SECRET = new CodeSecret(CodeAlgorithm.SHA1, new byte[20]);
    private static final String KEY = "A".repeat(32);

    @Test
    void uri_isThatOfTheKeyUriFormat() {
        assertThat(ProvisioningUri.of("Big Co", "ada@example.com", SECRET))
                .isEqualTo("otpauth://totp/Big%20Co:ada%40example.com?secret=" + KEY
                        + "&issuer=Big%20Co&algorithm=SHA1&digits=6&period=30");
        CodeSecret other = new CodeSecret(CodeAlgorithm.SHA512, new byte[20]);
        assertThat(ProvisioningUri.of("B", "a", other)).contains("&algorithm=SHA512&");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a&secret=B", "a?issuer=B", "a:b", "a/../b#c", "<script>", "a+b c*~%41", "ä😀\"'", "a\ud800"})
    void account_addsNothingToTheUri(String account) {
        URI uri = URI.create(ProvisioningUri.of("B", account, SECRET));
        assertThat(uri.getRawQuery()).isEqualTo("secret=" + KEY + "&issuer=B&algorithm=SHA1&digits=6&period=30");
        assertThat(uri.getRawPath()).matches("/B:[A-Za-z0-9._%~-]*");
        assertThat(uri.getPath()).isEqualTo("/B:" + account.replace('\ud800', '?'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a:b", ":a", "a\nb", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void issuerThatAppsWouldMisread_isRefused(String issuer) {
        assertThat(ProvisioningUri.isIssuer(issuer)).isFalse();
        assertThat(ProvisioningUri.isIssuer("a".repeat(64))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ada", "</svg><script>alert(1)</script>", "😀"})
    void qrCode_isReadByAPhone_andIsAPictureAndNothingElse(String account) throws Exception {
        String longest = account.repeat(255 / account.length());
        for (String name : new String[] {account, longest}) {
            String issuer = "é".repeat(64);
            Enrolment enrolment = new Enrolment(issuer, name, SECRET);
            String svg = enrolment.qrCode().withText(CharSequence::toString);
            assertThat(readByPhone(svg)).isEqualTo(ProvisioningUri.of(issuer, name, SECRET));
            assertThat(svg).matches("<svg xmlns=\"http://www.w3.org/2000/svg\" [^<>&']*>(<path [^<>&']*/>){2}</svg>");
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void qrCode_hasAQuietZoneOfFourModules() {
        String svg = QrCodeImage.svg("x");
        int side = sideOf(svg);
        squares(svg).results().forEach(square -> {
            assertThat(Integer.parseInt(square.group(1))).isBetween(4, side - 5);
            assertThat(Integer.parseInt(square.group(2))).isBetween(4, side - 5);
        });
    }

    @Test
    void enrolment_printsNothing() {
        assertThat(new Enrolment("B", "ada", SECRET)).hasToString("Enrolment[****]");
        assertThat(SECRET).hasToString("CodeSecret[****]");
    }

    private static String readByPhone(String svg) throws Exception {
        int side = sideOf(svg) * PIXELS;
        int[] pixels = new int[side * side];
        Arrays.fill(pixels, 0xFFFFFF);
        squares(svg).results().forEach(square -> {
            int x = Integer.parseInt(square.group(1)) * PIXELS;
            int y = Integer.parseInt(square.group(2)) * PIXELS;
            for (int i = 0; i < PIXELS * PIXELS; i++) {
                pixels[(y + i / PIXELS) * side + x + i % PIXELS] = 0;
            }
        });
        LuminanceSource picture = new RGBLuminanceSource(side, side, pixels);
        return new QRCodeReader()
                .decode(new BinaryBitmap(new HybridBinarizer(picture)))
                .getText();
    }

    private static int sideOf(String svg) {
        Matcher side = Pattern.compile("viewBox=\"0 0 (\\d+) \\1\"").matcher(svg);
        assertThat(side.find()).isTrue();
        return Integer.parseInt(side.group(1));
    }

    private static Matcher squares(String svg) {
        return Pattern.compile("M(\\d+),(\\d+)h1v1h-1z").matcher(svg);
    }
}
