package dev.latchkey.benchmarks.services;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.security.Principal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A body of any length, written as services write. Latchkey's throttle, if configured, needs no code here. */
@RestController
class DownloadController {

    private static final byte[] PIECE = new byte[2_000];

    private final BlockingBuckets own;

    DownloadController(SubjectProperties subject) {
        this.own = new BlockingBuckets(subject.blockingBytesPerSecond(), PIECE.length);
    }

    @GetMapping("/basic/download/{bytes}")
    void download(@PathVariable int bytes, Principal caller, HttpServletResponse response) throws IOException {
        response.setContentType("application/octet-stream");
        response.setContentLength(bytes);
        OutputStream out = response.getOutputStream();
        for (int left = bytes; left > 0; left -= PIECE.length) {
            int next = Math.min(PIECE.length, left);
            own.take(caller.getName(), next);
            out.write(PIECE, 0, next);
            if (own.areThere()) {
                out.flush();
            }
        }
    }
}
