package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.LatchkeyProperties.ResponseShape;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Reads the fields that were posted to an endpoint, and writes tokens in answer. */
final class EndpointExchange {

    private EndpointExchange() {}

    /**
     * The fields of the body. Where there are none to be had the response is written: 415 for what is neither JSON nor a form in UTF-8,
     * 413 for a body over the limit, 400 for one that is not what it says it is.
     */
    static Optional<Map<String, String>> read(HttpServletRequest request, HttpServletResponse response, int maxBytes)
            throws IOException {
        Optional<BodyFormat> format = BodyFormat.of(request.getContentType());
        if (format.isEmpty() || request.getHeader("Content-Encoding") != null) {
            Problem.UNSUPPORTED_MEDIA_TYPE.writeTo(response);
            return Optional.empty();
        }
        byte[] body = request.getInputStream().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            Problem.CONTENT_TOO_LARGE.writeTo(response);
            return Optional.empty();
        }
        Optional<Map<String, String>> fields = format.get().read(body);
        if (fields.isEmpty()) {
            Problem.BAD_REQUEST.writeTo(response);
        }
        return fields;
    }

    static void write(ResponseShape shape, IssuedTokens tokens, HttpServletResponse response) throws IOException {
        byte[] body = LoginResponse.body(shape, tokens);
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        if (shape == ResponseShape.NACOS) {
            response.setHeader("Authorization", "Bearer " + tokens.access().value());
        }
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
