# Feedback Lab in a container. HOSTING.md tells how to run it; compose.yaml runs two behind a proxy with TLS.
# It runs as a user without rights, writes to /data and /tmp alone, and has all that can be compiled ahead.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    HOME=/data \
    XDG_CACHE_HOME=/data/cache \
    XDG_DATA_HOME=/data/share \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501 \
    STREAMLIT_SERVER_FILE_WATCHER_TYPE=none

WORKDIR /app
COPY requirements.txt constraints.txt ./
RUN pip install -r requirements.txt -c constraints.txt

COPY app.py LICENSE ./
COPY .streamlit .streamlit
COPY datasets datasets
COPY learners learners
COPY pages pages
RUN python -m compileall -q app.py datasets learners pages

# 1000 is also the user of Hugging Face Spaces
RUN useradd --uid 1000 --no-create-home --home-dir /data lab && mkdir /data && chown lab:lab /data
USER lab
RUN python -m learners.warm
VOLUME /data

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD python -c "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"STREAMLIT_SERVER_PORT\"]}/health', timeout=8)"
CMD ["streamlit", "run", "app.py"]
