package dev.latchkey.benchmarks.services;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A body of any length, written as services write. Latchkey's throttle, if configured, needs no code here. */
@RestController
class DownloadController {

    private static final byte[] PIECE = new byte[2_000];

    @GetMapping("/basic/download/{bytes}")
    void download(@PathVariable int bytes, HttpServletResponse response) throws IOException {
        response.setContentType("application/octet-stream");
        response.setContentLength(bytes);
        OutputStream out = response.getOutputStream();
        for (int left = bytes; left > 0; left -= PIECE.length) {
            out.write(PIECE, 0, Math.min(PIECE.length, left));
        }
    }
}
