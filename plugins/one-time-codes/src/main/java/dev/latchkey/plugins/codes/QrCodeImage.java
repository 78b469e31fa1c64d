package dev.latchkey.plugins.codes;

import io.nayuki.qrcodegen.QrCode;

/**
 * A QR code in SVG: dark squares on white, independent of the page's colours, with a quiet zone of four modules
 * (ISO/IEC 18004 section 6.3.8). Contains no script and no reference, and the text only as squares.
 */
final class QrCodeImage {

    static final int QUIET_ZONE = 4;

    private QrCodeImage() {}

    static String svg(String text) {
        QrCode code = QrCode.encodeText(text, QrCode.Ecc.LOW);
        int side = code.size + 2 * QUIET_ZONE;
        StringBuilder squares = new StringBuilder();
        for (int y = 0; y < code.size; y++) {
            for (int x = 0; x < code.size; x++) {
                if (code.getModule(x, y)) {
                    squares.append('M')
                            .append(x + QUIET_ZONE)
                            .append(',')
                            .append(y + QUIET_ZONE)
                            .append("h1v1h-1z");
                }
            }
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + side + " " + side
                + "\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0,0h" + side + "v" + side + "h-" + side
                + "z\"/><path fill=\"#000\" d=\"" + squares + "\"/></svg>";
    }
}
