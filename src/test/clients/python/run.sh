python=target/clients/python/venv/bin/python
# The wheel has what a package index and a checker of types ask for.
unzip -l target/clients/python/dist/arbitration_client-1.0.0-py3-none-any.whl >"$folder/wheel"
grep -q 'arbitration_client/py.typed' "$folder/wheel" && grep -q 'licenses/LICENSE' "$folder/wheel"
$python src/test/clients/python/weight.py
target/clients/python/venv/bin/pip install -q --disable-pip-version-check mypy==2.4.1
$python -m mypy --strict --cache-dir "$folder/mypy" src/test/clients/python/library.py dev/clients/python/example/demo_case.py
$python src/test/clients/python/library.py "$url" "$cut" "$control"
