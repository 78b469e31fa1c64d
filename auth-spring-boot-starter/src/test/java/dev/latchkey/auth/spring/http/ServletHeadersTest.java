package dev.latchkey.auth.spring.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.engine.HeaderFields;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class ServletHeadersTest {

    private final List<String> asked = new ArrayList<>();
    private final MockHttpServletRequest request = new MockHttpServletRequest() {
        @Override
        public Enumeration<String> getHeaders(String name) {
            asked.add(name);
            return super.getHeaders(name);
        }
    };

    @Test
    void fields_areThoseOfTheRequestInTheirOrder() {
        request.addHeader("X-API-Key", "one");
        request.addHeader("X-API-Key", "two");

        HeaderFields fields = ServletHeaders.of(request);

        assertThat(fields.values("x-api-key")).containsExactly("one", "two");
        assertThat(fields.values("Authorization")).isEmpty();
    }

    @Test
    void fieldOfTheToken_isAskedForOnce_howeverItIsSpelt() {
        request.addHeader("Authorization", "Bearer a.b.c");
        HeaderFields fields = ServletHeaders.of(request);

        assertThat(fields.values("Authorization")).containsExactly("Bearer a.b.c");
        assertThat(fields.values("authorization")).containsExactly("Bearer a.b.c");
        assertThat(asked).hasSize(1);
    }

    @Test
    void tokenOfOneRequest_isNotThatOfTheNext() {
        request.addHeader("Authorization", "Bearer a.b.c");
        assertThat(ServletHeaders.of(request).values("Authorization")).hasSize(1);

        assertThat(ServletHeaders.of(new MockHttpServletRequest()).values("Authorization"))
                .isEmpty();
    }

    @Test
    void readerOfAField_cannotChangeTheFieldForTheNextReader() {
        request.addHeader("Authorization", "Bearer a.b.c");
        List<String> values = ServletHeaders.of(request).values("Authorization");

        assertThatThrownBy(values::clear).isInstanceOf(UnsupportedOperationException.class);
    }
}
