package dev.latchkey.auth.spring;

import dev.latchkey.auth.PasswordCredentials;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * {@code POST} a name and a password as JSON, get an access token in the shape of RFC 6749 section 5.1.
 *
 * <p>Only {@code application/json} is read: a page of another origin cannot send that without being asked first, so no login
 * can be forged. The body is bounded before it is parsed, and every refusal for its credentials is the same 401.
 */
final class LoginEndpoint implements TokenEndpoint {

    private final String path;
    private final int maxBodyBytes;
    private final TokenLogin login;

    LoginEndpoint(String path, int maxBodyBytes, TokenLogin login) {
        this.path = path;
        this.maxBodyBytes = maxBodyBytes;
        this.login = login;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!isJson(request)) {
            Problem.UNSUPPORTED_MEDIA_TYPE.writeTo(response);
            return;
        }
        byte[] body = request.getInputStream().readNBytes(maxBodyBytes + 1);
        if (body.length > maxBodyBytes) {
            Problem.CONTENT_TOO_LARGE.writeTo(response);
            return;
        }
        Optional<PasswordCredentials> credentials = LoginRequest.parse(body);
        if (credentials.isEmpty()) {
            Problem.BAD_REQUEST.writeTo(response);
            return;
        }
        Optional<AccessToken> token = login.login(credentials.get());
        if (token.isEmpty()) {
            BearerChallenge.PLAIN.writeTo(response);
            return;
        }
        write(token.get(), response);
    }

    private static void write(AccessToken token, HttpServletResponse response) throws IOException {
        // A token is made of letters, digits, hyphens, underscores and dots: nothing in it needs escaping.
        byte[] body = "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":%d}"
                .formatted(token.value(), token.lifetime().toSeconds())
                .getBytes(StandardCharsets.US_ASCII);
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static boolean isJson(HttpServletRequest request) {
        try {
            return request.getContentType() != null
                    && MediaType.APPLICATION_JSON.isCompatibleWith(MediaType.parseMediaType(request.getContentType()));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }
}
